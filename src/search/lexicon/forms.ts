/** Words of one family that light stemming leaves apart, one family a line. The strongest (about .85), both ways. */
export const FORMS = `
generate generation generator
create creation creator
translate translation translator
calculate calculation calculator
compute computation computational
convert conversion converter
transform transformation transformer
analyze analyse analysis analyzer analytics analytical analyst
summarize summarise summary summarization summarizer
recommend recommendation recommender
suggest suggestion
predict prediction predictor predictive
visualize visualise visualization visualisation visual
schedule scheduler
extract extraction extractor
validate validation validator
verify verification verifier
optimize optimise optimization optimisation optimizer
detect detection detector
classify classification classifier
categorize categorise category categorization
evaluate evaluation evaluator
assess assessment
compare comparison comparative
recognize recognise recognition recognizer
transcribe transcription transcript transcriber
navigate navigation navigator
reserve reservation
subscribe subscription subscriber
register registration
authenticate authentication authenticator
authorize authorise authorization
configure configuration configurator
deploy deployment
install installation installer
manage management manager
explore exploration explorer
edit editor
write writer written
read reader
plan planner
find finder
check checker
track tracker
simulate simulation simulator
design designer
teach teacher
learn learner
search searcher searchable
scrape scraper
crawl crawler
browse browser
parse parser
format formatter
compile compiler compilation
debug debugger
test tester
explain explanation explainer
describe description descriptive
define definition
information informational
invite invitation
notify notification notifier
remind reminder
announce announcement
publish publication publisher
communicate communication
collaborate collaboration collaborator
contribute contribution contributor
organize organise organizer
organization organisation organizational
customize customise customization
personalize personalise personalization
automate automation automatic automatically
integrate integration
implement implementation
execute execution executor executable
invoke invocation
operate operation operator operational
process processor
migrate migration
replicate replication replica
synchronize synchronise synchronization sync
compress compression compressor
encrypt encryption
decrypt decryption
encode encoder
decode decoder
sign signature
render renderer
draw drawn
paint painter
illustrate illustration illustrator
animate animation
photograph photo photography photographer
record recorder
stream streamer
play player playback
listen listener
speak speech speaker spoken
pronounce pronunciation
converse conversation conversational
discuss discussion
respond response responder
solve solution solver
resolve resolver
decide decision
choose choice chosen
select selection selector
rank ranker
review reviewer
approve approval
assign assignment assignee
delegate delegation
complete completion
delete deletion
remove removal
modify modification
add addition
insert insertion
restore restoration
recover recovery
revoke revocation
terminate termination
cancel cancellation
expire expiration expiry
activate activation
enable enablement
compose composition composer
combine combination
merge merger
divide division
multiply multiplication
subtract subtraction
sum summation
differentiate differentiation derivative
estimate estimation estimator
approximate approximation
measure measurement
observe observation observability
inspect inspection inspector
investigate investigation
diagnose diagnosis diagnostic
treat treatment
prescribe prescription
medicine medical medication medicinal
health healthy healthcare
nutrition nutritional nutrient nutritionist
diet dietary dietitian
therapy therapist therapeutic
psychology psychological psychologist
science scientific scientist
biology biological biologist
chemistry chemical chemist
physics physical physicist
gene genetic genomic genome
mathematics math mathematical
algebra algebraic
geometry geometric
statistics statistical stats
probability probabilistic
history historical historic historian
geography geographic geographical geo
location locate
astronomy astronomical astronomer
astrology astrological astrologer
climate climatic
weather meteorological meteorology
environment environmental
ecology ecological
agriculture agricultural
economy economic economist
finance financial
invest investment investor
trade trader
pay payment payer paid
buy buyer
sell seller sale
spend spent
lend lender
borrow borrower
insure insurance insurer
tax taxation taxable
accounting accountant
crypto cryptocurrency
law legal lawyer lawful
legislate legislation legislative legislator
regulate regulation regulatory
comply compliance compliant
politics political politician
govern government governmental governance
elect election electoral
immigrate immigration immigrant
crime criminal
secure security
vulnerable vulnerability
threat threaten
educate education educational educator
academy academic academia
instruct instruction instructor
train trainer
employ employment employee employer
recruit recruitment recruiter
profession professional
travel traveler traveller travelling
tour tourism tourist
flight fly
drive driver
cycle cyclist bicycle
walk pedestrian
run runner
hike hiker
swim swimmer
camp campsite
transport transportation
ship shipment
deliver delivery
depart departure
arrive arrival
accommodate accommodation
cook cooker
bake baker bakery
meditate meditation meditative
music musical musician
sing singer song
art artist artistic artwork
dance dancer
act actor actress
direct direction
director directing
film filmmaker
game gamer
sport athletic
athlete athletic
compete competition competitive
marketing marketer
advertise advertisement advert ad
promote promotion promotional promo
retail retailer
shop shopper
negotiate negotiation
consult consultant consultation
advise advice adviser advisor advisory
motivate motivation motivational
inspire inspiration inspirational
associate association
connect connection connector connectivity
depend dependency dependent dependence
require requirement
specify specification
prefer preference
permit permission
own owner ownership
member membership
develop developer development
program programmer programmatic
code coder
architect architecture architectural
build builder
document documentation docs
refer reference
cite citation
language linguistic multilingual
grammar grammatical
poem poetry poet poetic
fiction fictional
humor humour humorous
fun funny
color colour
favorite favourite
center centre
theater theatre
program programme
license licence
catalog catalogue
neighborhood neighbourhood
labor labour
jewelry jewellery
fiber fibre
gray grey
behavior behaviour behavioral
meter metre
kilometer kilometre km
dialog dialogue
enroll enrol enrollment
fulfill fulfilment
tire tyre
child children kid
person people
woman women female
man men male
mouse mice
index indices
matrix matrices
vertex vertices
criterion criteria
leaf leaves
foot feet
goose geese
tooth teeth dental dentist
city urban
country national nation
region regional
day daily
week weekly
month monthly
year yearly annual annually
hour hourly
quarter quarterly
current currently
recent recently
popular popularity
available availability
similar similarity
relevant relevance
accurate accuracy
random randomize randomly
unique uniqueness
high higher highest
low lower lowest
cheap cheaper cheapest
fast faster fastest
near nearby nearest
close closest
big bigger biggest
large larger largest
long longer longest
new newer newest
old older oldest
sent send
built build
found find
made make
bought buy
sold sell
took take
gave give
went go
wrote write
chose choose
drew draw
began begin
held hold
kept keep
lost lose loss
met meet
paid pay
said say
spoke speak
stood stand
taught teach
told tell
thought think
won win winner
flew fly flight
ate eat
drank drink
drove drive
slept sleep
grew grow growth
knew know knowledge
forgot forget
rode ride
sang sing
swam swim
wore wear
tweet twitter
email mail
quiz quizzes
visit visitor
container containerize
kubernetes kube kubectl
postgres postgresql
mongo mongodb
cosmos cosmosdb
elastic elasticsearch
javascript js
typescript ts
relation relationship relational
integral integration
`;

/**
 * Compounds and their parts: `compound part part`. Written apart in one text, together in another, so only the parts
 * side by side stand for the compound (about .9), and the compound for all of its parts.
 */
export const COMPOUNDS = `
filename file name
filepath file path
filesystem file system
fileshare file share
webpage web page
website web site
webapp web app
webhook web hook
hostname host name
nameserver name server
username user name
timezone time zone
timestamp time stamp
datetime date time
timetable time table
timeline time line
screenshot screen shot
hashtag hash tag
metadata meta data
database data base
dataset data set
datasource data source
datastore data store
dataframe data frame
workspace work space
workflow work flow
workbook work book
worksheet work sheet
workitem work item
spreadsheet spread sheet
flowchart flow chart
piechart pie chart
barchart bar chart
linechart line chart
heatmap heat map
treemap tree map
mindmap mind map
sitemap site map
roadmap road map
wordcloud word cloud
barcode bar code
qrcode qr code
postcode post code
zipcode zip code
geocode geo code
geolocation geo location
airfare air fare
airport air port
smartphone smart phone
ecommerce e commerce
cryptocurrency crypto currency
blockchain block chain
newsletter news letter
playlist play list
wishlist wish list
watchlist watch list
checklist check list
blacklist black list
whitelist white list
allowlist allow list
shortlist short list
livestream live stream
subreddit sub reddit
subtask sub task
subfolder sub folder
subdomain sub domain
subnet sub net
backlink back link
hyperlink hyper link
changelog change log
changeset change set
codebase code base
codespace code space
lifecycle life cycle
loadtest load test
keyvault key vault
keyvalue key value
eventhub event hub
eventgrid event grid
servicebus service bus
appconfig app config
appservice app service
applens app lens
functionapp function app
resourcehealth resource health
resourcegroup resource group
bestpractices best practice
nodepool node pool
cosmosdb cosmos db
openai open ai
openstreetmap open street map
todolist todo list
leaderboard leader board
dashboard dash board
whiteboard white board
clipboard clip board
keyboard key board
storyboard story board
flashcard flash card
scorecard score card
notebook note book
textbook text book
ebook e book
cookbook cook book
playbook play book
runbook run book
healthcheck health check
healthcare health care
skincare skin care
pullrequest pull request
mergerequest merge request
codereview code review
apikey api key
voicemail voice mail
webcam web cam
weekday week day
birthday birth day
birthdate birth date
lookup look up
setup set up
signup sign up
signin sign in
login log in
logout log out
checkout check out
checkin check in
backup back up
cleanup clean up
rollback roll back
feedback feed back
download down load
upload up load
offline off line
online on line
multimodal multi modal
realtime real time
fulltext full text
markdown mark down
smarthome smart home
homeassistant home assistant
googlemaps google maps
youtube you tube
linkedin linked in
whatsapp whats app
facebook face book
github git hub
gitlab git lab
powerpoint power point
powershell power shell
sharepoint share point
onedrive one drive
bigquery big query
cloudwatch cloud watch
elasticsearch elastic search
salesforce sales force
coingecko coin gecko
stablecoin stable coin
candlestick candle stick
onchain on chain
freelance free lance
lawsuit law suit
courthouse court house
bestseller best seller
fundraising fund raising
crowdfunding crowd funding
cashflow cash flow
paycheck pay check
payroll pay roll
`;

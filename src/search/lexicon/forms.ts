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
abbreviate abbreviation
accelerate acceleration
accept acceptance
accompany accompaniment
accomplish accomplishment
achieve achievement
adapt adaptation
administer administration administrator admin
admit admission
adopt adoption
affiliate affiliation
aggregate aggregation aggregator
agree agreement
allergy allergic allergen
allocate allocation
amuse amusement
anatomy anatomical
annotate annotation annotator
anonymize anonymization
anthropology anthropological
anxious anxiety
appoint appointment
appraise appraisal appraiser
archaeology archaeological archaeologist
archive archival
arrange arrangement
attend attendance attendee
audit auditor
aviation aviator
beauty beautiful
benefit beneficial
bioinformatics bioinformatic
brew brewery brewer
broadcast broadcaster
calibrate calibration
celebrate celebration
challenge challenger
charity charitable
chronology chronological
clarify clarification
clean cleaner
climb climber
comment commentary commenter
compatible compatibility
compensate compensation
complain complaint
comprehend comprehension
concatenate concatenation
confirm confirmation
construct construction
consume consumer consumption
cooperate cooperation
correct correction
correlate correlation
credit creditor
critic critique criticism
culture cultural
cure curative
cybersecurity cyber
decorate decoration decor decorator
deduct deduction deductible
deduplicate deduplication dedupe
demographic demography
deposit depositor
diabetes diabetic
diagram diagrammatic
discover discovery
distribute distribution distributor
diverse diversity
divine divination
donate donation donor
download downloader
dream dreamer
economics economic economy
embed embedding
emit emission
emotion emotional
enhance enhancement enhancer
enrich enrichment
entertain entertainment entertainer
entrepreneur entrepreneurial entrepreneurship
ethics ethical
europe european
evolve evolution
exchange exchanger
exhibit exhibition
expand expansion
experiment experimental experimentation
export exporter
farm farmer
festival festive
filter filtration
forecast forecaster
fraud fraudulent
freelance freelancer
friend friendship friendly
gamble gambler
garden gardener
genealogy genealogical genealogist
geology geological geologist
guide guidance
hash hasher
heal healer
horoscope horoscopic
hydrate hydration
imagine imagination imaginative
improve improvement
industry industrial
infect infection infectious
inflate inflation
ingest ingestion
initialize initialization init
injure injury
innovate innovation innovative
inquire inquiry
interact interaction interactive
introduce introduction intro
invent invention inventor
islam islamic muslim
christian christianity
hindu hinduism
buddhist buddhism buddha
jewish judaism jew
japan japanese
china chinese
france french
germany german
spain spanish
italy italian
korea korean
india indian
russia russian
america american
britain british uk
mexico mexican
brazil brazilian
canada canadian
australia australian
greece greek
judge judgment judicial
label labeler
legend legendary
library librarian
litigate litigation
localize localization locale
logic logical
logistics logistic logistical
maintain maintenance maintainer
manufacture manufacturer
meme memetic
memory memorize memorable
military militaristic
moderate moderation moderator
mutate mutation mutant
myth mythology mythological
narrate narration narrator narrative
neuroscience neuroscientist neuron neural
normalize normalization
orchestrate orchestration orchestrator
paginate pagination
paraphrase paraphraser
participate participation participant
patent patentable
pedagogy pedagogical
persuade persuasion persuasive
pharmacy pharmaceutical pharmacist pharma
philosophy philosophical philosopher
plagiarize plagiarism
plot plotter
pollute pollution pollutant
practice practise practitioner
pray prayer
pregnant pregnancy
prevent prevention preventive
prioritize priority prioritization
private privacy
productive productivity
profit profitable profitability
proofread proofreader
propose proposal
provision provisioner
purchase purchaser
quantify quantity quantitative
quote quotation
rain rainy rainfall
snow snowy snowfall
storm stormy
race racer
recycle recyclable
redact redaction
reduce reduction
refine refinement
reflect reflection
refund refundable
reimburse reimbursement
relax relaxation
religion religious
relocate relocation
renew renewal renewable
renovate renovation
rent rental renter
repair repairman
reproduce reproduction
rescue rescuer
retire retirement retiree
retrieve retrieval retriever
revise revision
rewrite rewriter rewritten
ride rider
risk risky
robot robotic robotics
roleplay role_playing
romance romantic
sail sailor
satisfy satisfaction
scan scanner
sculpt sculpture sculptor
season seasonal
segment segmentation
serialize serialization
settle settlement
similar similarly
skate skateboard
sleep sleepy asleep
sort sorter
spirit spiritual spirituality
strategy strategic strategist
stress stressful
submit submission
succeed success successful
supply supplier
survive survival
symptom symptomatic
terror terrorism
tokenize tokenizer tokenization
toxic toxicity toxin
transfer transferable
trend trendy trending
update updater
upload uploader
upscale upscaler
vacation vacationer
vaccine vaccinate vaccination
vegan veganism
vegetarian vegetarianism vegetable veggie
veterinary veterinarian vet
violate violation violent
vote voter
wealth wealthy
worship worshipper
yoga yogi
statute statutory
seismic seismology
tide tidal
lunar moon
dentist dentistry
surgery surgeon surgical
cardiac cardiology cardiologist
oncology oncologist
dermatology dermatologist
pediatric pediatrician
psychiatry psychiatrist psychiatric
hotel hotelier
mythic mythical
ancestor ancestry ancestral
heritage hereditary
mechanic mechanical
electric electricity electrical electronic
energy energetic
drank drunk
shot shoot
caught catch
broke broken break
stolen steal stole
froze frozen freeze
hid hidden hide
spelt spell
burnt burn
learnt learn
dreamt dream
apply applicant
collect collector
blog blogger
wind windy
sun sunny sunshine
marry marriage married
examine examination examiner
journalist journalism
storytelling storyteller
reside resident residential
story storytelling
sustainability sustainable
technology tech technological
expense expenditure
defense defence defend
certify certification
interpret interpretation
identify identification
elevation elevate
counsel counselor counsellor
curate curation curator
scholar scholarly
report reporter
sequence sequential
geocode geocoder
nutritious nutrition nutritional
attract attractive
transact transaction
produce production producer
acquire acquisition
structure structural
method methodology
theory theoretical
fact factual
charge charger
coach coaching
commerce commercial
novel novelist
congress congressional
slide slideshow
spell speller
perform performer
present presenter
vary variation
receive receiver
shorten shortener
persist persistence persistent
disability disabled
access accessible
value valuable
weigh weight
vectorize vectorization
protect protection
semantic semantics
save saver
print printer printable
turkish turkey
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
roadtrip road trip
coworking co working
takeout take out
airplane air plane
railway rail way
snowboard snow board
skateboard skate board
surfboard surf board
sunrise sun rise
sunset sun set
sunscreen sun screen
thunderstorm thunder storm
snowstorm snow storm
wildfire wild fire
earthquake earth quake
heatwave heat wave
raincoat rain coat
waterfall water fall
campsite camp site
campground camp ground
guesthouse guest house
townhouse town house
penthouse pent house
bedroom bed room
bathroom bath room
bedtime bed time
fairytale fairy tale
storyteller story teller
storytelling story telling
songwriter song writer
soundtrack sound track
voiceover voice over
audiobook audio book
videogame video game
boardgame board game
gameplay game play
screenplay screen play
filmmaker film maker
showtime show time
meetup meet up
nightclub night club
nightlife night life
bookstore book store
bookkeeping book keeping
bookmark book mark
paperwork paper work
homework home work
housework house work
coursework course work
schoolwork school work
classroom class room
pushup push up
bodyweight body weight
heartbeat heart beat
painkiller pain killer
drugstore drug store
homebuyer home buyer
homeowner home owner
landlord land lord
cashback cash back
payslip pay slip
timesheet time sheet
cheatsheet cheat sheet
spellcheck spell check
spellchecker spell checker
wordplay word play
brainstorm brain storm
brainteaser brain teaser
moodboard mood board
handwriting hand writing
handmade hand made
secondhand second hand
smartwatch smart watch
smartcontract smart contract
newsfeed news feed
copywriting copy writing
copywriter copy writer
ghostwriter ghost writer
crosspost cross post
sourcecode source code
stacktrace stack trace
typeface type face
lineup line up
matchup match up
scoreboard score board
playoff play off
startup start up
followup follow up
popup pop up
dropdown drop down
countdown count down
breakdown break down
stopwatch stop watch
payout pay out
layover lay over
stopover stop over
takeaway take away
getaway get away
giveaway give away
helpdesk help desk
weblink web link
webcast web cast
fundraiser fund raiser
nonprofit non profit
multiplayer multi player
subtitle sub title
microservice micro service
datacenter data center
dataflow data flow
codegen code gen
autocomplete auto complete
autofill auto fill
email e mail
fintech fin tech
doordash door dash
chatgpt chat gpt
chatbot chat bot
openapi open api
devops dev ops
wordpress word press
hubspot hub spot
tripadvisor trip advisor
paypal pay pal
mailchimp mail chimp
lightroom light room
photoshop photo shop
`;

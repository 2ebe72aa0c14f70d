/**
 * What people say when they need a tool, and the topic such a tool's text names: `topic: words`.
 * Weak (about .2 to .5), both ways: a hint at the field, no synonym.
 */
export const TOPICS = `
weather: rain rainy umbrella forecast temperature snow sunny storm humidity wind jacket climate cold hot cloudy degrees outside
forecast: tomorrow weekend outlook prediction upcoming
climate: warming emission carbon temperature environment
air_quality: pollution smog aqi pollen asthma breathe
earthquake: quake magnitude seismic tremor disaster tsunami
disaster: flood wildfire hurricane emergency evacuation tornado
marine: tide wave surf sailing ocean sea
astronomy: star planet moon telescope galaxy nasa comet eclipse asteroid constellation
space: nasa rocket launch satellite astronaut orbit mars iss
travel: trip vacation itinerary holiday visit destination sightseeing tour abroad flight hotel backpacking honeymoon getaway
flight: fly airport airline airfare layover plane departure arrival boarding nonstop
hotel: stay room accommodation night checkin booking resort hostel suite
airbnb: rental stay host apartment vacation villa cabin
train: railway rail station ticket timetable departure platform amtrak
bus: transit stop schedule route coach
transit: subway metro bus commute tram departure
taxi: ride cab uber lyft driver pickup
cruise: ship cabin port voyage
car: vehicle drive auto model mileage engine tesla toyota sedan suv dealer
car_rental: rent car pickup driver
parking: garage spot car
ev: charging charger battery tesla electric
map: location route directions distance navigate nearby address place coordinates geocode
route: directions drive walk cycling commute shortest traffic
geocode: address coordinates latitude longitude place
place: nearby restaurant cafe shop park attraction venue visit
attraction: museum landmark sightseeing tour visit monument zoo
hiking: trail mountain trek outdoor camping
camping: tent campsite outdoor park
ski: snow slope mountain resort
beach: coast sea swim surf sand
visa: passport embassy immigration travel citizenship
restaurant: eat dinner table reservation cuisine dining lunch michelin sushi pizza reserve foodie
recipe: dinner ingredient cook bake breakfast lunch vegan meal dish dessert cake chicken soup kitchen fridge
food: eat meal snack recipe grocery hungry ingredient delicious
grocery: supermarket shopping food ingredient milk
nutrition: calorie protein vitamin carb fat healthy diet macro
diet: weight calorie meal keto lose healthy nutrition vegan eating
cocktail: drink bar alcohol mix whiskey gin party
wine: grape bottle pairing vineyard sommelier red
coffee: espresso cafe bean brew latte
fitness: workout exercise gym muscle training weight cardio running marathon strength
workout: exercise gym muscle routine training
running: marathon pace strava race
health: medical doctor symptom disease sick pain wellness healthy illness
doctor: physician appointment clinic hospital specialist sick pain
medicine: drug medication pill prescription dose side effect pharmacy
drug: fda medication dosage interaction pharmacy
symptom: pain fever headache sick cough diagnosis
clinical_trial: study patient treatment drug recruiting
pregnancy: baby pregnant birth mother
mental_health: anxiety depression stress therapy therapist lonely
meditation: relax calm mindfulness stress breathe
sleep: insomnia night rest bed
genome: gene dna mutation variant sequence protein
protein: structure sequence amino enzyme alphafold
chemistry: molecule compound reaction chemical formula
biology: species cell organism gene
stock: portfolio dividend ticker nasdaq investor earnings shares invest apple tesla market wall street
finance: money invest budget bank market stock income revenue
investment: invest portfolio return fund wealth retirement
trading: buy sell order position broker market
option: call put strike expiry
earnings: quarterly revenue profit company report
filing: sec 10k annual report company
fundamental: revenue profit balance ratio valuation
crypto: bitcoin ethereum coin wallet blockchain token altcoin binance coinbase dogecoin solana
bitcoin: btc crypto satoshi lightning
blockchain: wallet transaction block token smart contract chain onchain
wallet: balance address crypto token
nft: collection opensea token mint
defi: liquidity pool yield lending swap
currency: exchange rate dollar euro convert usd eur yen pound
forex: currency exchange dollar euro pair
economy: gdp inflation unemployment growth rate country
bank: account loan transfer deposit transaction
loan: mortgage interest borrow repay credit
mortgage: house loan interest payment home
tax: irs deduction income return vat filing
budget: spend expense money saving
expense: receipt reimbursement spending
invoice: bill payment client
payment: pay card stripe paypal checkout charge
insurance: policy coverage claim premium quote
accounting: bookkeeping ledger invoice quickbooks xero
shopping: buy product price purchase deal store order cheap cart brand
product: buy price shop review brand
price: cheap expensive afford cost dollar worth
coupon: discount promo code deal voucher save sale
gift: present birthday christmas surprise anniversary valentine
amazon: buy product prime shop
fashion: clothes outfit wear dress style shoes jacket wardrobe
clothing: wear dress shirt shoes jacket size
beauty: makeup skin hair skincare cosmetic
furniture: sofa chair desk decor room ikea
delivery: package shipping courier parcel track order
package_tracking: parcel shipment delivery courier fedex ups dhl
ecommerce: shop store product order shopify cart
real_estate: house apartment property home buy rent mortgage bedroom zillow listing neighborhood realtor
apartment: rent tenant lease bedroom landlord
home_improvement: renovate paint kitchen repair diy
architecture: building house floor plan
garden: plant grow soil flower seed watering vegetable
plant: flower grow garden leaf species watering houseplant
pet: dog cat puppy vet breed animal kitten adopt
animal: wildlife species zoo pet bird
job: resume interview salary hire career position apply employer work remote vacancy linkedin
resume: cv job interview career application cover
interview: job question candidate prepare practice
recruiting: hire candidate applicant talent
freelance: gig client upwork contractor
salary: pay wage income compensation
law: legal contract court attorney lawyer sue lawsuit rights judge case
contract: agreement legal clause sign terms
court: case judge ruling lawsuit docket
legislation: bill congress law senate parliament act
patent: invention inventor intellectual property uspto
trademark: brand name logo register
immigration: visa green card citizenship
government: agency federal public policy official
election: vote candidate poll president party
politics: president congress senator election party
open_data: dataset government statistics public census
census: population demographic household
crime: police criminal safety
military: army war defense
movie: watch actor film cinema netflix director imdb trailer oscar hollywood
tv: show series episode watch netflix streaming season
streaming: netflix hulu watch disney movie
anime: manga episode japanese watch character
music: song listen spotify artist album playlist band concert genre lyrics
song: lyrics singer listen music melody
playlist: spotify songs music listen
lyrics: song singer words
concert: ticket band live show venue tour
podcast: episode listen host audio show
radio: station listen broadcast fm
video: youtube watch clip film footage tutorial
youtube: video channel watch transcript creator subscriber
video_editing: clip trim subtitle footage merge
game: play player steam xbox playstation minecraft level
chess: opening move lichess board grandmaster opponent
steam: game player pc
board_game: play dice card family
minecraft: block player build world
pokemon: pikachu type move battle
puzzle: riddle sudoku crossword brain solve
trivia: quiz question fun fact
joke: funny laugh humor fun
meme: funny image template
sport: team match player league score season game championship
football: team match league goal player fifa premier nfl
basketball: nba team player game
baseball: mlb team pitcher
cricket: match ipl player wicket
tennis: match player tournament
golf: course tee swing
racing: f1 formula driver lap
betting: odds wager gamble
lottery: ticket number jackpot win
horse: race betting
event: concert festival ticket happening conference attend weekend
ticket: concert event seat show
conference: attend speaker event
party: birthday celebrate guest invitation
wedding: bride marriage venue dress guest
dating: girlfriend boyfriend tinder match relationship romantic love
relationship: partner love friend marriage
family_tree: ancestor genealogy family grandparent heritage relative
baby: newborn name parent
parenting: kid child toddler
children: kid story bedtime
horoscope: zodiac astrology sign aries leo scorpio birth star
astrology: horoscope zodiac birth chart sign planet natal
tarot: card reading fortune future divination
fortune: luck lucky destiny divination future
dream: nightmare interpretation sleep meaning
numerology: number birth name destiny
religion: god church bible prayer faith
bible: verse scripture jesus god psalm
quran: islam verse muslim surah prayer
prayer: mosque time islamic church
philosophy: stoic meaning ethics
news: headline today happening article latest breaking journalist politics
article: read blog news write
trending: popular viral hot hashtag
social_media: instagram facebook twitter tiktok post follower influencer viral
twitter: tweet follower hashtag timeline
instagram: post follower reel photo
reddit: subreddit post thread comment
linkedin: profile connection professional network post
facebook: page post friend group
tiktok: video viral trend creator
discord: channel guild message bot server
slack: channel message workspace thread
telegram: chat bot message group
whatsapp: message chat contact
teams: meeting channel chat microsoft
email: inbox mail gmail outlook send draft newsletter reply
gmail: email inbox label draft
outlook: email calendar microsoft mail
calendar: meeting appointment schedule event availability agenda invite busy
meeting: zoom attendee agenda call minutes transcript participant
zoom: meeting recording webinar
reminder: remind forget alarm due
todo: task list due checklist productivity
task: todo due assign deadline productivity
time: clock timezone hour date now
timezone: time clock city utc convert
date: day week calendar weekday
holiday: christmas public festival day
countdown: timer days until
note: notion obsidian write remember jot
notion: page database workspace note
obsidian: vault note markdown
knowledge_base: article documentation wiki question
knowledge_graph: entity relation node memory
memory: remember recall forget store past conversation
crm: customer lead deal contact salesforce hubspot sales pipeline
sales: lead customer prospect deal outreach pipeline
lead: prospect email outreach sales
marketing: campaign audience brand ad promote customers social content
seo: keyword ranking google backlink traffic serp optimize
advertising: ad campaign budget click audience
copywriting: slogan blog headline sales write
brand: logo name identity slogan
survey: question response form feedback poll
form: submission field response typeform
customer_support: ticket zendesk helpdesk complaint agent
project_management: task jira sprint board milestone asana trello
jira: issue sprint ticket epic board atlassian
linear: issue cycle project team
trello: board card list
asana: task project workspace
github: repository issue pull commit branch code star
gitlab: merge pipeline project repository
git: commit branch diff merge repository stash rebase
code: programming function bug python javascript refactor developer snippet
code_review: pull diff comment quality
programming: code python javascript debug developer algorithm
documentation: docs library api reference guide example
library: package docs version dependency
package: npm pypi dependency version install
ci: build pipeline deploy workflow test
deployment: release rollout production deploy
testing: unit coverage assert playwright
debugger: breakpoint stack step variable
reverse_engineering: binary disassemble decompile malware
docker: container image compose volume
kubernetes: pod cluster deployment namespace helm node
cloud: aws azure gcp instance resource
azure: subscription resource group tenant microsoft
aws: s3 lambda ec2 iam cloudwatch amazon
gcp: google cloud bigquery project
serverless: function lambda trigger
vm: instance machine compute server
storage: blob bucket file disk container
secret: vault password credential key
vault: secret key certificate
monitoring: alert metric log dashboard uptime latency incident
log: error trace debug event
metric: cpu memory usage performance latency
incident: outage alert oncall pagerduty
observability: trace log metric span
cost_management: bill spend usage
infrastructure: terraform bicep provision cloud
network: subnet ip firewall vpc router
database: sql query table schema row postgres mysql record
sql: query table select join database
schema: table column field structure
data_warehouse: bigquery snowflake redshift analytics
vector_database: embedding similarity semantic pinecone qdrant
search_engine: google bing web search result
web_search: internet google online latest research
web_scraping: crawl scrape website extract page html
browser: click page navigate screenshot website form
website: page url site html domain
html: page tag markup website
screenshot: capture page screen
pdf: document page extract text paper file
document: file word docx report text paragraph
spreadsheet: excel row column cell formula sheet csv
excel: spreadsheet cell formula workbook chart
presentation: slide powerpoint deck pitch
word_document: docx paragraph heading
file: folder path directory save open
google_drive: file folder share doc
ocr: scan text image recognize
summary: summarize short key points long
translation: translate language english spanish french chinese german japanese
language_learning: vocabulary spanish practice fluent speak grammar
grammar: spelling sentence correct proofread mistake
dictionary: meaning define word definition synonym
writing: essay blog story draft author edit
essay: write paragraph academic student
story: character plot write fiction tale
poem: rhyme verse write poetry
book: read novel author literature bestseller isbn goodreads
quote: inspiration motivational saying famous
education: student school teacher class learn course
course: learn class lesson online study udemy coursera university
university: college admission degree student campus
exam: test question study student prepare
flashcard: memorize anki study deck
homework: student math solve assignment
paper: research arxiv academic study journal citation author pubmed scholar
research: paper study academic literature scientific
citation: reference bibliography paper cite
pubmed: medical study biomedical paper
science: experiment physics research scientific
physics: force energy equation quantum
math: calculate equation solve algebra integral calculus geometry number
calculator: calculate sum multiply percentage compute
statistics: average mean regression probability distribution
unit_conversion: convert meter mile kilogram celsius inch
data_analysis: dataset csv insight trend statistics pandas
machine_learning: train model dataset predict neural
chart: graph plot bar line pie visualize data
diagram: flowchart mermaid uml sequence architecture
mind_map: brainstorm idea tree structure
image: picture photo draw generate art
image_generation: draw picture art generate dalle midjourney illustration painting
image_editing: crop resize background photo filter
logo: brand design icon
design: figma ui layout color style
color: palette hex rgb shade
font: typography text style
3d: model mesh blender render print
icon: svg symbol design
art: painting artist museum gallery drawing
museum: art exhibit collection painting
photography: camera photo lens
audio: sound voice record mp3 music
text_to_speech: voice read aloud speak audio narration
speech_to_text: transcribe recording audio dictation
voice: speak call audio
phone: call sms number dial
sms: text message phone send
security: vulnerability threat attack scan malware hack breach
vulnerability: cve exploit patch security
malware: virus threat scan suspicious
password: secure strong generate login leak
phishing: scam suspicious url email
privacy: personal data gdpr pii
domain: website dns register whois name available
dns: record domain nameserver resolve
ip_address: location geolocation network
qr_code: scan link generate code
url_shortener: link short tiny
email_verification: valid address bounce
prompt: chatgpt gpt ai instruction template
ai_model: llm gpt claude inference openai
ai_agent: autonomous task assistant
ai_detection: plagiarism written human generated
chatbot: conversation assistant bot talk
sequential_thinking: reason step problem think
automation: workflow trigger zapier automate
workflow: automate step trigger process
rss: feed news subscribe
smart_home: light thermostat lamp device alexa temperature
iot: device sensor telemetry
energy: electricity solar power consumption bill
solar: panel energy sun roof
electricity: power bill price grid
sustainability: carbon green environment eco
agriculture: crop farm soil farmer
charity: donate nonprofit cause donation
logistics: shipping freight warehouse
manufacturing: factory part supplier
business: company startup entrepreneur plan idea
startup: founder funding business investor pitch
company: ceo employee revenue headquarters business competitor
company_registry: incorporation director registration
competitor: market compare rival analysis
people_search: person email contact find linkedin
contact: phone email person address
human_resources: employee leave payroll onboarding
review: rating opinion feedback stars
decision: choose pros cons option
random: dice coin pick number
name_generator: baby name idea username
ascii: art text banner
emoji: smiley symbol icon
uuid: unique identifier generate
hash: md5 sha256 checksum
encoding: base64 decode url
regex: pattern match expression
json: parse format schema object
xml: parse element document
markdown: convert format document text
latex: equation formula paper
history: past century ancient event war
wikipedia: encyclopedia fact history who
encyclopedia: fact article knowledge
culture: tradition festival art
mythology: god legend myth
country: capital population flag nation
city: town population local urban
population: census people country
flag: country nation
aviation: aircraft flight airport pilot
vessel: ship marine tracking port
wildlife: animal species bird nature
water: river lake quality
license_plate: car vehicle
used_car: buy dealer mileage price
motorcycle: bike ride
diy: build repair craft tool
craft: diy handmade knitting
hobby: interest fun activity
activity: fun bored weekend things
bored: activity fun game
motivation: inspire goal habit quote
habit: routine daily streak track
goal: achieve progress plan
productivity: focus task time habit
coaching: mentor advice career goal
therapy: counselor emotion stress
personality: mbti test type trait
psychology: behavior mind personality
career: job path skill profession
skill: learn ability training
tutor: lesson student teach math
kids: child story game
`;

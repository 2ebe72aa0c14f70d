/** Abbreviation and full form: `short full_form other_full_form`. Nearly as strong as the word itself (about .8), both ways. */
export const ABBREVIATIONS = `
pr pull_request
prs pull_request
mr merge_request
vm virtual_machine
vmss virtual_machine_scale_set
k8s kubernetes
aks azure_kubernetes_service kubernetes
eks elastic_kubernetes_service kubernetes
gke google_kubernetes_engine kubernetes
acr azure_container_registry container_registry
ecr elastic_container_registry container_registry
aca azure_container_apps container_apps
db database
dbs database
dbms database_management_system
rdbms relational_database
sql structured_query_language
ddl data_definition schema
adx azure_data_explorer kusto
kql kusto_query_language kusto
rbac role_based_access_control role_assignment
iam identity_and_access_management
aad azure_active_directory entra
sso single_sign_on
mfa multi_factor_authentication
otp one_time_password
2fa two_factor_authentication
jwt json_web_token
kv key_value
akv key_vault
sb service_bus
sbus service_bus
rg resource_group
sub subscription
vnet virtual_network
vpc virtual_private_cloud
nsg network_security_group
vpn virtual_private_network
lb load_balancer
cdn content_delivery_network
s3 bucket object_storage
ec2 virtual_machine instance
sqs queue_service queue
sns notification_service
rds relational_database
gcs google_cloud_storage bucket
gcp google_cloud
aws amazon_web_services amazon
az azure
iac infrastructure_as_code
arm azure_resource_manager
tf terraform
ci continuous_integration
cd continuous_deployment
cicd continuous_integration pipeline
repo repository
repos repository
org organization
orgs organization
env environment
envs environment
envvar environment_variable
var variable
vars variable
config configuration
conf configuration
cfg configuration
appconfig app_configuration
prefs preferences
info information
auth authentication
authn authentication
authz authorization
docs documentation
doc document
dir directory
dirs directory
img image
imgs image
pic picture
pics picture
msg message
msgs message
dm direct_message
tx transaction
txn transaction
txs transaction
txid transaction_id
addr address
acct account
acc account
amt amount
bal balance
qty quantity
num number
int integer
bool boolean
param parameter
params parameter
args argument
attr attribute
attrs attribute
props property
prop property
func function
fn function
lib library
libs library
pkg package
pkgs package
deps dependency
dep dependency
impl implementation
spec specification
specs specification
temp temperature
tmp temporary
max maximum
min minimum
avg average
std standard_deviation
stat statistic
stats statistics
calc calculate calculator
eval evaluate
exec execute
cmd command
cli command_line
ps process
proc process
pid process_id
del delete
rm remove delete
mkdir create_directory
ls list
mv move
cp copy
grep search
ref reference
refs reference
desc description
kb knowledge_base
kg knowledge_graph
faq frequently_asked_questions
ocr optical_character_recognition text_recognition
tts text_to_speech
stt speech_to_text
asr speech_recognition
nlp natural_language_processing
llm large_language_model
ai artificial_intelligence
ml machine_learning
rag retrieval_augmented_generation
mcp model_context_protocol
seo search_engine_optimization
sem search_engine_marketing
serp search_engine_results
ppc pay_per_click
ctr click_through_rate
roi return_on_investment
kpi key_performance_indicator
crm customer_relationship_management
erp enterprise_resource_planning
hr human_resources
cv curriculum_vitae resume
jd job_description
ats applicant_tracking_system
pm project_management
okr objectives_key_results
eta estimated_time_of_arrival arrival
etd departure
poi point_of_interest place
gps coordinates location
lat latitude
lng longitude
lon longitude
geo geographic location
gis geographic_information_system
osm openstreetmap
aqi air_quality_index
uv ultraviolet
tz timezone
utc timezone
dst daylight_saving
gif animated_image
svg vector_image
png image
jpg image
jpeg image
pdf document
ppt powerpoint presentation
pptx powerpoint presentation
xls excel spreadsheet
xlsx excel spreadsheet
docx word_document
csv comma_separated_values
tsv tab_separated_values
md markdown
html web_page
css stylesheet
js javascript
ts typescript
py python
rb ruby
json data
yml yaml
regex regular_expression
regexp regular_expression
url link web_address
uri url
href link
qr qr_code
ip ip_address
dns domain_name_system
ssl certificate
tls certificate
tld top_level_domain
http web_request
ssh secure_shell remote
ftp file_transfer
smtp email
imap email
sms text_message
rss feed
api application_programming_interface
sdk software_development_kit
ide code_editor
ui user_interface
ux user_experience
gui user_interface
os operating_system
cpu processor
gpu graphics_card
ram memory
iot internet_of_things
ha home_assistant
pv page_view
cve common_vulnerabilities vulnerability
sast static_analysis
pii personally_identifiable_information
gdpr data_protection
btc bitcoin
eth ethereum
sol solana
usdt tether
usdc stablecoin
usd dollar
eur euro
gbp pound
jpy yen
cny yuan
fx foreign_exchange forex
nft non_fungible_token
dao decentralized_autonomous_organization
defi decentralized_finance
dex decentralized_exchange
cex centralized_exchange
tvl total_value_locked
apy yield
ohlc candlestick
ohlcv candlestick
ta technical_analysis
rsi relative_strength_index
macd moving_average
sma moving_average
ema moving_average
etf exchange_traded_fund
ipo initial_public_offering
eps earnings_per_share
pe price_earnings
sec securities_and_exchange_commission
gdp gross_domestic_product
cpi consumer_price_index inflation
fred federal_reserve_economic_data
vat value_added_tax
irs tax
mls real_estate_listing
ev electric_vehicle
vin vehicle_identification_number
suv car
tv television
yt youtube
ig instagram
fb facebook
wp wordpress
gh github
gl gitlab
gdrive google_drive
gcal google_calendar
gsheet google_sheets
ms microsoft
o365 microsoft_office
nba basketball
nfl american_football
mlb baseball
nhl hockey
f1 formula_one racing
fifa football
imdb movie
tmdb movie_database
bmi body_mass_index
fda drug
icd diagnosis_code
dna genome
pdb protein_structure
snp genetic_variant
doi digital_object_identifier paper
isbn book
orcid researcher
asin amazon_product
sku product
upc barcode
ean barcode
b2b business_to_business
3d three_dimensional
2d two_dimensional
cad computer_aided_design
uml unified_modeling_language diagram
erd entity_relationship_diagram
diff difference
sim simulation simulator
sync synchronize
async asynchronous
req request
res response
resp response
id identifier
ids identifier
uuid unique_identifier
guid unique_identifier
hex hexadecimal
dec decimal
bin binary
asap soon
bday birthday
bnb airbnb
diy do_it_yourself
nyc new_york
uk united_kingdom
usa united_states
eu european_union
`;

/**
 * What people say of their work, and the words by which code, skills and tools are named: `everyday words`; `_` stands for a space.
 * One way, from the query's words to the texts'. Written field by field. Who wrote it had seen half of the queries on skills:
 * what stands in one of these was taken out again.
 */
export const EVERYDAY = `
wages payroll
paycheck payroll
pay_rise compensation payroll
colleague employee team
coworker employee team
workforce employee headcount
workers employee
supervisor manager
new_hire onboarding employee
newcomer onboarding first_time welcome
joiner onboarding
starts_on_monday onboarding
first_day onboarding
leaver offboarding
quits offboarding
resigned offboarding
day_off leave absence vacation
days_off leave absence vacation
time_off leave absence vacation
holidays leave vacation absence
vacation leave absence out_of_office
sick_leave absence leave
away out absent leave
on_leave out absence
out_sick absence out
birthday anniversary
applicant candidate
application candidate form
job_opening vacancy candidate role
recruiting candidate interview hiring
recruiter candidate hiring
hiring candidate recruit interview
cv resume candidate
turn_down reject rejection
say_no decline reject
mandatory compliance required training
course training
staff_survey enps survey
engagement survey enps
morale enps survey
hierarchy org_chart tree
appointments meeting event calendar
get_together meeting event
catch_up digest summary meeting
calls meeting
conference meeting event
diary calendar
agenda calendar meeting
slot time availability free
free_time availability free slot
double_booked conflict overlap double_booking
clash conflict overlap
clashes conflict overlap
reschedule move event
postpone move reschedule snooze
recording transcript
invitation invite
invitations invite
feed rss ics subscribe
time_zone timezone
e_mails email
letters mail email
unsubscribe opt_out sunset list
mailing_list list subscriber newsletter
junk_mail spam
scam phishing fraud
fake phishing fraud
suspicious phishing anomaly alert
undelivered bounce
bounced bounce bounces
deliverability spf dkim dmarc bounce
sign_off signature approval
auto_reply out_of_office vacation
autoresponder out_of_office
replies response reply
respond reply response
response_time first_reply latency
unanswered no_reply waiting unreplied
waiting_for_an_answer unanswered pending
follow_up reminder nudge
poke reminder ping
heads_up notify alert
let_me_know notify alert
warn alert notify
tell_everyone announce broadcast
shout announce
blast broadcast
spread_the_word announce post
attachment file attachments
chat message slack conversation
emojis emoji reaction
thread conversation
guests guest external
outsider external outside
third_party external vendor
contractor external
vote poll
survey poll form response
sign_up_sheet form
form_answers form response
invoice bill
bills invoice billing
receipt expense
receipts expense receipt
purchase_confirmation receipt order
bookkeeper accounting
bookkeeping accounting
accountant accounting
books accounting ledger
ledger accounting journal
refunds refund
give_back refund return
pay_back refund reimburse
reimbursement expense refund
expenses expense
unpaid overdue outstanding dunning
past_due overdue
overdue late
dunning overdue reminder
payout payment
payments payment
card_declined failed payment dunning
failed_payment dunning retry
subscription recurring plan
cancellation churn cancel
cancelled churn
stop_paying churn
customers_leaving churn
lose_customers churn
vat tax
taxes tax vat
tax_office tax vat
sales_tax tax vat
per_diem allowance travel
allowance per_diem
mileage travel expense
budget spend
overspend budget pacing
spending spend cost expense budget
spend cost budget
expensive cost
price cost
prices price
quote offer
quotation quote
purchase_order purchase approval procurement
buy purchase order
bank_statement transaction bank reconcile
reconcile match transactions
exchange_rate currency convert
shares stock
share_price stock price
portfolio stock holdings
landlord rent property
flat property rent
house property home
mortgage loan
contract agreement clause
agreement contract
nda confidentiality agreement
signatures signature sign
lawyer legal contract
gdpr privacy personal data
personal_data privacy pii anonymize
anonymous anonymize
anonymise anonymize mask
pseudonymise anonymize mask
mask anonymize redact
black_out redact
censor redact
delete_my_data erasure gdpr
buyer customer
buyers customer
shopper customer cart
shoppers customer
patron customer
account_owner owner account
prospects lead
prospect lead
lead prospect
leads lead
pipeline deal funnel
deal opportunity
deals deal opportunity
opportunity deal
stalled stuck stale
going_nowhere stale stuck
hanging stuck pending
win_rate deal win
sales_reps owner leaderboard
salesperson owner rep
ranking leaderboard top
best_performing top leaderboard
renewal contract
renewals renewal
forecast predict
happiness csat satisfaction
satisfaction csat nps survey
satisfied csat satisfaction
complaint ticket issue feedback
complaints ticket feedback
feedback review
help_desk ticket support zendesk
support_request ticket
case ticket
cases ticket
inquiry ticket question
enquiry ticket question
categorise tag classify label category
categorize tag classify label
sort_into categorize tag label
route assign triage
hand_over assign handover transfer
hand_to assign
pass_to forward assign
priority triage urgency
urgent priority urgency
unassigned triage
cart checkout
abandoned inactive
stock inventory
in_stock inventory stock
sold_out inventory stock
running_low inventory low stock threshold
warehouse inventory stock
goods product inventory
supplier vendor
webshop store shopify woocommerce
online_store shopify store
parcel shipment package tracking
delivery shipment
shipping shipment delivery label
send_back return
returned return
coupon discount code
voucher discount code
discount coupon
rating review
competitor rival
competitors competitor
visitors traffic sessions users
footfall traffic visitors
traffic sessions
page_views traffic pageviews
hits traffic
search_terms keyword query
search_result ranking keyword seo
found_on_google seo ranking keyword
ranking_in_google seo keyword position
seo search
adverts ads
advert ads
ad ads campaign
marketing_effort campaign attribution utm
campaigns campaign
conversion funnel
drop_off funnel conversion
drop_out funnel churn
come_back retention return
stick_around retention cohort
stay retention
keep_using retention
clicking click
tweet post social twitter
social_media social post
editorial_calendar content schedule post
mention brand
mentions mention brand
talk_about_us mention brand
influencer social
blog post article
article page post wiki
knowledge_base wiki page docs
handbook wiki docs
manual docs
documentation docs
out_of_date stale outdated
obsolete stale outdated deprecated
nobody_touched stale inactive
untouched stale
neglected stale
forgotten stale orphan
unused inactive idle
not_used unused
licences license seat
seat license user
dead_link broken link
dead_links broken link
hyperlink link
fill_in fill form
fill_out fill form
type_in fill form
government_site form browser
without_api browser
web_page page website
homepage page site
screenshot capture
screen_shot screenshot
photo image
photos image photo
pictures image
drawing diagram
diagram mermaid chart
graph chart
spreadsheets sheet
excel sheet spreadsheet
rows row
tab sheet
entry row record
copy_over copy sync migrate
migrate migration import copy
move_over migrate transfer
bring_over import migrate
transfer move
take_over transfer ownership
belongs_to owner
ownership owner
kick_out remove revoke
take_away_access revoke access
permission access sharing
can_see access permission shared
who_can access permission
publicly_visible public shared
exposed public open
open_to_the_world public open
open_port port security_group
door access lock
password secret credential
passwords password secret credential
credential key secret
secret credential
secrets secret credential
leaked leak secret exposed
rotate renew
switch_off disable stop deactivate turn_off
switch_on enable start turn_on
shut_down stop shutdown
turn_down lower reduce
deactivate disable suspend
two_factor mfa
log_on login sign_in
sign_ins login auth
break_in intrusion suspicious
intruder suspicious attack
hacker attack suspicious
attack block
attacker attack block
hammering attack brute_force
brute_force attack block
virus malware
infected malware
vulnerability cve security
vulnerable cve vulnerability
certificate tls ssl
expires expiry expiring
runs_out expiry expire forecast
about_to_expire expiring expiry
server host
machine host vm instance
machines host vm instance
box host server
laptop device local
hard_disk disk
disk_space disk storage
space disk storage
biggest large top
huge large
big large
slow latency performance
slowest slow duration
sluggish slow latency
speed performance latency
takes_forever slow duration
takes_so_long slow duration
hang slow timeout lock
hanging slow lock blocking
freeze blocking hang
is_it_up uptime health
up_and_running uptime health
reachable uptime health
available availability uptime
outage incident
outages incident outage
incident postmortem
post_mortem postmortem incident
went_wrong incident failure error
oncall pagerduty
night_shift oncall
shift schedule oncall rota
shifts schedule oncall
fair fairness balance
fairly fairness balance
unfair fairness balance
burden load balance
workload load capacity
overloaded workload load
crash error exception
crashes crash error
crashing crash error
exceptions error exception sentry
stack_trace error stacktrace exception
error_tracking sentry
bugs bug issue
defect bug issue
defects bug issue
bug_report bug issue
same_thing duplicate
duplicates duplicate dedupe
doublets duplicate dedupe
dupes duplicate dedupe
duplicated duplicate dedupe
merge_together merge combine dedupe
only_once unique dedupe
not_there_yet missing unique append
logs log
log_file log
trace log
monitoring monitor prometheus grafana datadog
measurements metric
noise noisy
noisy noise
too_many_alerts noisy alert noise
false_alarm noisy noise
alarm alert monitor
threshold alert
shot_up spike anomaly
jump spike anomaly
spike anomaly
unusual anomaly
strange anomaly suspicious
weird anomaly
cloud_bill cost billing
amazon_cloud aws
google_cloud gcp
microsoft_cloud azure
pod kubernetes k8s
containers docker container
image docker
roll_out rollout deploy release
rollout deploy
go_live deploy release publish
ship release deploy
shipped release deploy
bring_live deploy
in_production production
undo rollback revert
go_back rollback revert
take_back rollback revert
previous_version rollback version
gradually gradual rollout percentage
step_by_step gradual rollout
feature_toggle feature_flag
toggle flag feature_flag
infrastructure terraform
infra terraform infrastructure
differs diff drift
differ diff drift
differences diff compare
difference diff compare
what_changed changes diff changelog
the_same_as diff compare
compare diff
release_notes changelog release
what_is_new changelog release
main_branch branch default
pull_requests pull_request review
merge_requests pull_request
code_review review pull_request
reviewer review
reviewers review reviewer
waiting_for_me review assigned mine
my_turn review assigned
builds ci build
pipeline_failed ci failure
red_build ci failure
test_failure test ci failure
flaky test
sometimes_fails flaky
dependency package
dependencies dependency package
libraries dependency package
library dependency package
upgrade update bump outdated
newer_version update bump outdated
open_source license repo
api_description openapi
incompatible breaking
breaks breaking
backwards_compatible breaking
endpoint api
rate_limit rate limit retry backoff
try_again retry backoff
retries retry backoff
at_the_same_time parallel concurrent
in_parallel parallel concurrent
simultaneously parallel concurrent
many_at_once bulk batch
all_at_once bulk batch
mass bulk batch
in_bulk bulk batch
one_by_one each batch
dead_letter queue redrive
stuck_messages queue dead_letter
db database
database sql
read_replica replication replica
keep_up lag replication
lagging lag replication
dangling orphan
missing_parent orphan
restore backup
backups backup
safe_copy backup
environments environment
dump export
extract export
statistics stats report
stats report
breakdown report by summary
round_up digest summary
wrap_up summary digest
recap summary digest
condense summarize
in_short summary
boil_down summarize
key_points summary
tldr summary
gist summary
weekly week digest report
monthly month report
quarterly quarter
year_end annual year
progress status
initiatives epic project
milestone project
sprint velocity
velocity sprint
story issue ticket work_item
task issue
tasks task issue todo
to_do task todo
due deadline
deadline due
deadlines deadline due
blocked dependency
blocker blocked
backlog issue
mark_as transition status
set_to transition update
status_change transition status
column_time status time
booked_time worklog time
time_spent worklog time
timesheet worklog time
log_time worklog
notes note
notebook note
pages page
outline tree
structure tree outline
language translate
translation translate
in_german translate
other_languages translate
subtitles subtitle caption
captions subtitle caption
voice audio speech transcript
spoken audio speech transcript
audio transcript
podcast audio
song music track playlist
songs music track playlist
playlist music
music playlist
movie film video
film movie video
game steam
bargain deal sale discount
sale deal discount
wishlist deal
lights light home
light home
heating thermostat home
temperature thermostat
warm heating temperature
garden watering
plants garden watering plant
watering garden
nobody_home away everyone_left home
everyone_left away home
camera motion
doorbell camera door
electric_car car charge
charge_the_car car charge
cheap_electricity cheap power price
electricity power energy
power energy
vacuum robot home
journey trip travel
trips trip travel
railway train
trains train connection
flights flight
plane flight
place_to_stay hotel
accommodation hotel
changing_trains connection transfer
commute traffic
passport visa
enter_a_country visa
border visa
groceries grocery shopping
shopping_list grocery list
dinner meal recipe
meals meal recipe plan
cook recipe meal
eat meal restaurant
run workout
sport workout fitness
training_plan workout fitness
weather forecast
rain weather
tremor earthquake
space_station iss
molecule chemistry compound
protein structure
gene sequence
paper citation literature
studies paper study literature
citations citation reference
references citation reference
funding grant
experiment lab
lab experiment
students student course
pupils student
grades grade course
marks grade
exam quiz
homework assignment
language_model model llm
models model
prompt eval
quality_check eval validate
embeddings vector embedding
vector_database vector store
search_by_meaning vector semantic
remember memory store
recall memory
street address geocode
address geocode
map geocode location
organisation company organization
phone_number phone
text_message sms whatsapp
sms message
whatsapp message
telegram message
names_of_files rename files
folder directory
directories folder
shrink compress resize
smaller compress resize
turn_into convert
scan ocr
scanned ocr scan
read_out_of extract
sign_language accessibility
blind accessibility
cookies cookie consent
consent cookie
watch monitor
keep_an_eye_on monitor watch
changes_on change monitor
notify_me alert notify
detect find
identify find detect
who_has find list
clean_up cleanup clean prune
get_rid_of delete remove cleanup
throw_away delete remove
wipe delete
prune cleanup
free_up cleanup prune
sync mirror
keep_in_sync sync mirror
mirror sync
one_way sync
both_ways sync
`;

/**
 * What phrases of requests mean: `phrase words`. Read before stop words are left out; `_` stands for a space.
 * Strong (about .7), one way: from the query's phrase to the words of the tools.
 */
export const PHRASES = `
look_up search find lookup
look_for search find
looking_for search find
look_into research analyze
look_at view
search_for search
find_out get find
figure_out find calculate determine
check_out view browse
check_on status check
check_if validate check
come_up_with generate create
come_across find
think_of idea generate brainstorm
sign_in login authenticate
sign_up register
sign_out logout
log_in login authenticate
log_out logout
log_into login
how_much price cost amount
how_many count number statistics
how_far distance route
how_long duration time
how_long_does_it_take duration route time
how_old age date
how_often frequency
how_to guide tutorial
how_can_i_get_to directions route
how_do_i_get_to directions route
how_is_the_weather weather
where_is location map
where_are location map
where_can_i_buy shopping product store
where_can_i_find search place
where_can_i_eat restaurant
where_to_eat restaurant
where_to_stay hotel
where_to_go travel destination place
who_is person people search
who_was person history
who_won result score winner
who_owns owner whois
what_time time
what_day date calendar
what_happened news history
what_is_happening news event
what_to_watch movie tv recommendation
what_to_wear weather fashion outfit
what_to_eat restaurant recipe food
what_to_cook recipe
what_to_read book recommendation
when_is date schedule
when_does schedule time
when_did date history
which_one compare
turn_into convert
turn_this_into convert
turn_on enable start switch
turn_off disable stop switch
turn_up increase
turn_down decrease
change_to convert
change_into convert
get_rid_of delete remove
take_down delete remove
take_out remove
take_a_look view
take_notes note
take_a_picture screenshot photo
take_a_screenshot screenshot
throw_away delete
clean_up cleanup delete
set_up create configure setup
set_a_reminder reminder create
set_an_alarm alarm create
spin_up create start deploy
bring_up start open
bring_down stop
shut_down stop shutdown
start_up start
kick_off start run trigger
carry_out execute run
go_to navigate open
go_back navigate back
go_over review
work_on edit
work_out workout fitness exercise
pick_up collect
pick_out select
pull_up get show
pull_down download
pull_out extract
pull_from get fetch
write_down note save
write_up write document
jot_down note
note_down note create
put_together create compile
put_up publish
fill_in fill form
fill_out fill form
hand_in submit
send_out send
send_over send
send_to send
reach_out email message contact
get_in_touch contact email
talk_to chat
chat_with chat
keep_track_of track monitor
keep_an_eye_on monitor watch
stay_up_to_date news update
stay_on_top_of monitor track
up_to_date latest current
catch_up news summary
follow_up email reminder
as_of_now current
right_now current now
at_the_moment current now
these_days recent current
real_time realtime live current
in_real_time realtime live current
last_night recent
this_week week upcoming
this_weekend weekend event
next_week upcoming schedule
near_me nearby local
close_to nearby
around_me nearby
in_the_area nearby local
on_the_way route
make_sense_of explain analyze
make_up generate create
make_money business income
double_check verify validate
break_down split analyze
break_into split
divide_into split
cut_down reduce
cut_out crop
boil_down summarize
sum_up summarize summary
in_short summarize
key_points summary
main_points summary
main_ideas summary
tl_dr summary summarize
read_aloud text_to_speech voice
read_out text_to_speech voice
out_loud text_to_speech voice
speech_to_text transcribe stt transcription
text_to_speech tts voice speech audio
text_to_image image_generation image generate
text_to_video video generate
image_to_text ocr caption
text_from_image ocr
say_in_english translate
in_english translate
in_spanish translate
in_french translate
in_other_words paraphrase rewrite
spell_check spelling grammar
fact_check verify claim
word_count count text
word_cloud wordcloud visualization
bar_chart chart bar
line_chart chart line
pie_chart chart pie
area_chart chart area
scatter_plot chart scatter
gantt_chart chart gantt timeline
org_chart organization chart
flow_chart flowchart diagram
flow_diagram flowchart diagram
mind_map mindmap diagram
sequence_diagram diagram mermaid
class_diagram diagram uml
family_tree genealogy ancestor
knowledge_graph entity relation memory
knowledge_base documentation article
key_value setting keyvalue
key_vault keyvault secret
pull_request pr
merge_request mr
code_review pr review
source_code code repository
open_source github repository
bug_report issue
bug_ticket issue
report_a_bug create issue
file_a_bug create issue
open_a_ticket create issue
create_a_ticket create issue
who_am_i me profile
feature_request issue
feature_flag app_configuration flag
release_notes release changelog
best_practices bestpractices guidance
resource_group group
storage_account storage
service_bus servicebus queue topic
event_hub eventhubs
virtual_machine vm compute
virtual_network vnet network
container_registry acr registry
role_assignment role rbac
access_control role permission
log_analytics monitor log workspace
search_index index search
load_test loadtesting
load_testing loadtest
app_service webapp
function_app functionapp
environment_variable env variable
command_line shell terminal
command_prompt shell terminal
file_system filesystem file directory
web_page page url website
web_site website
web_search search internet
search_engine search web
home_page website
dark_web security
phone_number phone contact
zip_code postcode postal
postal_code postcode zip
area_code phone
email_address email contact
ip_address ip
domain_name domain
credit_card payment card
bank_account account bank
exchange_rate currency convert
stock_price stock quote
share_price stock quote
stock_market stock market
market_cap market stock crypto
price_history historical price
interest_rate rate loan
mutual_fund fund
real_estate property
house_for_sale property listing
for_sale listing price
for_rent rental property
for_free free
on_sale discount deal
on_a_budget cheap price
good_deal deal discount
promo_code coupon discount
gift_card gift
online_store ecommerce shop
shopping_list grocery list
to_do todo task
to_do_list todo task
things_to_do attraction activity event
day_off holiday leave
day_trip travel itinerary
road_trip travel route
business_trip travel flight hotel
plan_a_trip travel itinerary
travel_plan itinerary trip
public_transport transit bus train
public_transportation transit bus train
high_speed_rail train
plane_ticket flight
train_ticket train
round_trip flight
one_way flight
book_a_table restaurant reservation
book_a_room hotel booking
book_a_flight flight booking
rent_a_car car rental
buy_a_house property real_estate
buy_a_car car vehicle
find_a_job job search
lose_weight diet fitness nutrition
gain_weight diet nutrition
eat_out restaurant
dine_out restaurant
night_out bar restaurant event
side_effect drug medicine
mental_health therapy psychology
first_aid medical health
birth_chart astrology natal
star_sign horoscope zodiac
zodiac_sign horoscope astrology
lucky_number fortune lottery
air_quality pollution aqi
time_zone timezone time
time_difference timezone
due_date deadline task
point_of_interest poi place
points_of_interest poi place
street_view map
driving_directions route directions
sat_nav route navigation
social_media post platform
social_network social
blog_post article write
news_feed news rss
breaking_news news headline
press_release news
video_game game
board_game game
tv_show series tv
music_video video music
song_lyrics lyrics
sheet_music music score
sound_effect audio sound
voice_over narration text_to_speech
profile_picture avatar image
stock_photo photo image
clip_art image icon
color_scheme palette color
cover_letter job resume
business_card contact
business_plan business
case_law court law
intellectual_property patent trademark
terms_of_service legal policy
privacy_policy privacy legal
research_paper paper arxiv
scientific_paper paper
academic_paper paper scholar
literature_review paper research
peer_reviewed paper journal
machine_learning ml model
language_model llm
artificial_intelligence ai
neural_network model
step_by_step guide steps
pros_and_cons compare
side_by_side compare
difference_between compare diff
compared_to compare
better_than compare
similar_to similar recommendation
instead_of alternative
a_list_of list
list_of list
all_of list
number_of count
total_number count
average_of average statistics
square_root math calculate
add_up sum calculate
convert_to convert
export_to export
import_from import
save_as save export
back_up backup
roll_back rollback revert
go_live deploy publish
push_to push
check_out_branch checkout branch
roll_out deploy
scale_up scale
scale_down scale
smart_home device light
air_conditioner device climate
qr_code qr
bar_code barcode
short_link shorten url
shorten_url shorten
short_url shorten url
customer_service support ticket
help_desk support ticket
out_of_office calendar leave
video_call meeting
conference_call meeting
group_chat chat group
direct_message message dm
open_data dataset government
data_set dataset
data_point data
big_data analytics
spread_sheet spreadsheet
power_point presentation
slide_deck presentation
slide_show presentation
word_document docx document
pdf_file pdf
excel_file excel spreadsheet
`;

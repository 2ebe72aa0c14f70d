/**
 * What people say when they need a tool, and the topic such a tool's text names: `topic: words`.
 * Weak (about .2 to .5), both ways: a hint at the field, no synonym.
 */
export const TOPICS = `
weather: rain rainy umbrella forecast temperature snow sunny storm humidity wind jacket climate cold hot cloudy outside thunderstorm drizzle heatwave freezing foggy chilly windy raincoat meteorology rainfall hail frost barometer dew_point radar sleet gust breeze overcast muggy weatherman will_it_rain
forecast: tomorrow weekend outlook prediction upcoming tonight chance hourly 10_day next_week
climate: warming emission carbon temperature environment drought greenhouse sea_level glacier co2 ipcc global_warming el_nino carbon_emission heat
air_quality: pollution smog aqi pollen asthma breathe pm2 ozone particulate smoke wildfire mask smoggy dust haze aqi_index air_purifier breathing
earthquake: quake magnitude seismic tremor disaster tsunami richter fault epicenter aftershock usgs volcano
disaster: flood wildfire hurricane emergency evacuation tornado typhoon cyclone landslide fema shelter blizzard
marine: tide wave surf sailing ocean sea swell buoy surfing kitesurf snorkel diving boating coral reef
astronomy: star planet moon telescope galaxy nasa comet eclipse asteroid constellation solar_system meteor nebula hubble jwst black_hole stargazing aurora supernova milky_way saturn jupiter night_sky mars venus visible_planet meteor_shower
space: nasa rocket launch satellite astronaut orbit mars iss spacex apollo spacecraft rover shuttle cosmonaut exoplanet moon_landing elon_musk spacewalk artemis
travel: trip vacation itinerary holiday visit destination sightseeing tour abroad flight hotel backpacking honeymoon getaway roadtrip backpacker jetlag packing luggage sightsee tourist passport cruise europe bali paris tokyo adventure airfare thailand mexico spain italy greece japan solo family_trip tripadvisor expedia suitcase beach things_to_see travel_plan
flight: fly airport airline airfare layover departure arrival nonstop airplane roundtrip stopover runway jet delayed gate takeoff expedia skyscanner kayak ryanair lufthansa delta economy_class business_class red_eye fare one_way flights seat_upgrade turbulence airbus boeing stewardess
hotel: stay room accommodation night checkin booking resort hostel suite motel inn hilton marriott pool breakfast overnight sleep bnb expedia spa lobby check_in check_out hyatt bed ritz booking_com
airbnb: rental stay host apartment vacation villa cabin vrbo cottage treehouse getaway beach_house superhost
train: railway rail station ticket timetable departure amtrak intercity tgv eurostar shinkansen sncf deutsche_bahn conductor rail_pass
bus: transit stop schedule route coach greyhound flixbus shuttle timetable minibus
transit: subway metro bus commute tram departure tube streetcar ferry commuter bart mta gtfs public_transport station
taxi: ride cab uber lyft driver pickup rideshare airport chauffeur limo hail bolt
cruise: ship cabin port voyage caribbean carnival liner onboard itinerary
car: vehicle drive auto model mileage engine tesla toyota sedan suv dealer bmw honda ford audi truck hatchback coupe horsepower mpg hybrid brake lease test_drive dealership suvs prius carfax jeep
car_rental: rent car pickup driver hertz avis suv van airport turo
parking: garage spot car meter car_park space street
ev: charging charger battery tesla electric ccs kwh supercharger plug leaf range kilowatt electric_car chargepoint charge_my_car range_anxiety charging_point tesla_model electric_vehicle
map: location route directions distance navigate nearby address place coordinates geocode nearest street geography satellite_image gis mapbox openstreetmap google_maps pin how_far directions_to google_map street_view plot_on_map
route: directions drive walk cycling commute shortest traffic detour eta fastest waypoint toll
geocode: address coordinates latitude longitude place zip postcode reverse_geocoding lat_long
place: nearby restaurant cafe shop park attraction venue visit bar pharmacy gym bakery hangout spot
attraction: museum landmark sightseeing tour visit monument zoo castle theme_park aquarium tower statue eiffel_tower cathedral disneyland must_see
hiking: trail mountain trek outdoor camping backpack summit waterfall hike peak path boots elevation
camping: tent campsite outdoor park rv campfire caravan campground glamping
ski: snow slope mountain resort snowboard lift powder alps chalet skiing
beach: coast sea swim surf sand snorkel sunbathe island tropical lifeguard
visa: passport embassy immigration travel citizenship schengen consulate tourist border entry entry_requirement
restaurant: eat dinner table reservation cuisine dining lunch michelin sushi pizza reserve foodie steakhouse tacos ramen brunch thai italian opentable yelp menu takeout hungry burger curry bistro waiter seafood bbq vegan patio chef steak brewpub brasserie romantic_dinner cheap_eats date_night eat_out place_to_eat book_a_table
recipe: dinner ingredient cook bake breakfast lunch vegan meal dish dessert cake chicken soup kitchen fridge pasta bread cookies curry salad sauce leftover airfryer oven gluten_free vegetarian casserole stew pancake steak cuisine egg lasagna lentil rice broccoli salmon tofu pork beef smoothie muffin shrimp potato garlic onion marinade grill slow_cooker instant_pot what_can_i_make cook_with
food: eat meal snack recipe grocery hungry ingredient delicious cheese fruit vegetable spicy fridge tasty leftover avocado
grocery: supermarket shopping food ingredient milk instacart walmart egg bread fridge cart tesco kroger aldi whole_foods costco aisle pantry vegetables produce shopping_list
nutrition: calorie protein vitamin carb fat healthy diet macro fiber sugar sodium iron cholesterol mineral label banana egg micronutrient kcal saturated omega glycemic avocado oatmeal
diet: weight calorie meal keto lose healthy nutrition vegan eating paleo low_carb mediterranean slim vegetarian intermittent_fasting gluten_free pescatarian carnivore cheat_meal
cocktail: drink bar alcohol mix whiskey gin party vodka rum tequila margarita mojito bartender martini liquor shaker negroni daiquiri bourbon liqueur gimlet old_fashioned hangover mixer
wine: grape bottle pairing vineyard sommelier red merlot chardonnay cabernet champagne cellar vintage rose bordeaux pinot_noir riesling bubbly tannin prosecco bottle_of_wine
coffee: espresso cafe bean brew latte cappuccino barista starbucks roast caffeine americano arabica roaster french_press
fitness: workout exercise gym muscle training weight cardio running marathon strength pushup squat abs treadmill yoga pilates jog stretch dumbbell bench_press personal_trainer biceps glutes weights deadlift kettlebell physique tone
workout: exercise gym muscle routine training pushup squat dumbbell hiit abs bodyweight crossfit
health: medical doctor symptom disease sick pain wellness healthy illness blood cancer diabetes checkup nausea rash vaccine allergy blood_pressure cholesterol migraine arthritis heart_attack surgery feel_sick healthy_lifestyle
doctor: physician appointment clinic hospital specialist sick pain dentist pediatrician dermatologist surgeon urgent_care gp cardiologist gynecologist psychiatrist telehealth second_opinion
medicine: drug medication pill prescription dose side effect pharmacy ibuprofen aspirin antibiotic tablet paracetamol vaccine insulin cure antidepressant penicillin tylenol advil painkiller antihistamine xanax adderall
drug: fda medication dosage interaction pharmacy pill aspirin ibuprofen overdose contraindication generic
symptom: pain fever headache sick cough diagnosis nausea rash dizzy sore_throat fatigue itchy vomiting stomach ache flu chest_pain swollen bloating cramp dizziness runny_nose back_pain
clinical_trial: patient treatment drug recruiting phase placebo enrollment nct
pregnancy: baby pregnant birth mother trimester due_date fetus prenatal
mental_health: anxiety depression stress therapy therapist lonely panic burnout sad depressed suicidal overwhelmed grief counseling anxious ptsd adhd bipolar self_esteem insecure trauma
meditation: relax calm mindfulness stress breathe breathing headspace zen mantra mindful guided_meditation inner_peace
sleep: insomnia night rest bed nap snore melatonin bedtime awake sleepless sleep_cycle wake_up
genome: gene dna mutation variant sequence protein crispr chromosome genotype snp heredity ensembl
protein: structure sequence amino enzyme alphafold pdb peptide fold antibody receptor
chemistry: molecule compound reaction chemical formula atom periodic_table acid element smiles pubchem bond solvent molar titration ph ion oxidation catalyst isotope
biology: species cell organism gene evolution ecosystem bacteria anatomy photosynthesis fungus mitosis enzyme plant_cell virus amphibian dna
stock: portfolio dividend ticker nasdaq investor earnings shares invest apple tesla wall street nvidia microsoft amzn aapl sp500 nyse dow bull bear undervalued pe_ratio robinhood share_price meta netflix penny_stock bullish bearish short_squeeze market_cap tsla msft shareholder analyst_rating ticker_symbol stock_price should_i_buy
finance: money invest budget bank stock income wealth debt credit cash invoice financial wall_street
investment: invest portfolio return fund wealth retirement 401k etf bond roth mutual_fund vanguard compound dividend roi index_fund diversify passive_income financial_advisor portfolio_allocation
trading: sell position broker market candlestick rsi macd indicator day_trade leverage stop_loss backtest forex swing scalping options candlesticks breakout short_selling
option: strike expiry greeks implied_volatility covered_call derivative
earnings: quarterly revenue profit company report eps guidance transcript quarter beat
fundamental: revenue profit balance ratio valuation pe_ratio cashflow balance_sheet eps
crypto: bitcoin ethereum coin wallet blockchain token altcoin binance coinbase dogecoin solana eth btc ledger metamask hodl stablecoin airdrop usdt memecoin gas_fee cardano xrp ripple litecoin shiba bull_run altcoins web3 cold_wallet satoshi
bitcoin: btc crypto satoshi lightning halving hodl mempool
blockchain: wallet transaction block smart chain onchain ethereum polygon solana ledger consensus etherscan web3
wallet: balance address crypto token metamask private_key seed send coins
nft: collection opensea token mint bored_ape floor_price ethereum collectible
defi: liquidity pool yield lending swap uniswap aave stake staking apy tvl
currency: exchange rate dollar euro convert usd eur yen pound rupee peso yuan franc cad gbp jpy money foreign exchange_rates usd_to_eur convert_dollars pounds rupees bitcoin_price
forex: currency exchange dollar euro pair usd pip gbp jpy
economy: gdp inflation unemployment growth rate country recession interest_rate fed trade_deficit jobs_report fred stagflation gdp_growth economic_indicator labor_market
bank: account loan transfer deposit transaction atm iban chase wire statement overdraft debit_card branch routing_number swift
loan: mortgage interest borrow repay credit borrowing apr emi student_loan installment lender debt car_loan personal_loan payday repayment
mortgage: house loan payment home refinance down_payment lender amortization homebuyer escrow fixed_rate closing_cost prequalify
tax: irs deduction income return vat taxes w2 1099 refund turbotax accountant taxable sales_tax hmrc capital_gains write_off self_employed tax_bracket
budget: spend expense money afford paycheck frugal monthly
expense: receipt reimbursement spending spent cost_split mileage travel splitwise
invoice: bill payment client billing overdue quickbooks freelancer receipt
payment: pay card stripe paypal checkout charge credit_card venmo refund subscription bank_transfer apple_pay invoice
insurance: policy coverage claim premium quote health_insurance deductible insurer car_insurance life_insurance geico liability home_insurance copay medicare
shopping: buy product price purchase deal store order cheap cart brand walmart ebay target wishlist gadget bargain best_buy laptop headphones shoes headphone vacuum_cleaner gaming_laptop blender backpack mattress toaster monitor_arm smartwatch klarna aliexpress retailer where_to_buy best_deal
product: buy price shop review laptop headphones gadget tv compare vacuum mattress monitor keyboard backpack speaker smartwatch
price: cheap expensive afford cost dollar worth cheapest pricing msrp bargain
coupon: discount promo deal voucher save sale groupon cashback bargain black_friday rebate promo_code discount_code clearance cheaper bogo free_shipping
gift: present birthday christmas surprise anniversary valentine mom dad girlfriend boyfriend mothers_day gift_card wrap wife husband grandma fathers_day graduation stocking_stuffer secret_santa
amazon: prime shop asin seller kindle alexa
fashion: clothes outfit wear dress style shoes jacket wardrobe trendy sneakers jeans handbag runway accessories zara gucci what_to_wear stylist skirt blazer hat sunglasses designer capsule_wardrobe
clothing: wear dress shirt shoes jacket size pants jeans hoodie sweater coat t_shirt socks swimsuit suit uniform nike adidas uniqlo
beauty: makeup skin hair skincare cosmetic lipstick moisturizer salon nail shampoo sephora acne mascara eyeliner manicure foundation haircare
furniture: sofa chair desk decor room ikea table bed couch shelf mattress wayfair
delivery: package shipping courier parcel track order ups usps fedex arrive driver
package_tracking: parcel shipment delivery courier fedex ups dhl usps tracking_number mail carrier delivered where_is_my_package shipped in_transit
ecommerce: shop store product shopify cart woocommerce inventory checkout etsy seller sku
real_estate: house apartment property home buy rent mortgage bedroom zillow neighborhood realtor condo redfin homes villa townhouse broker square_feet investment_property trulia duplex foreclosure penthouse 2_bedroom 3_bedroom open_house mls homebuyer land studio_apartment houses_for_sale buy_a_house home_for_sale
apartment: rent tenant lease bedroom landlord studio roommate flat rental sublet furnished 1_bedroom utilities
home_improvement: renovate paint kitchen repair diy bathroom floor remodel contractor plumber tile roof backyard fence insulation wallpaper drywall
architecture: house floor blueprint facade skyscraper cad architect gothic bauhaus
garden: plant grow soil flower seed watering vegetable tomato lawn compost weed rose pruning fertilizer perennial mulch hedge greenhouse herbs backyard planting
plant: flower grow garden leaf species watering houseplant succulent tree orchid cactus rose identify monstera fern yellow_leaves repot identify_plant pot
pet: dog cat puppy vet breed animal kitten adopt hamster rabbit fish parrot grooming leash feed treat guinea_pig turtle goldfish pet_food dog_food poodle litter_box flea
animal: wildlife species zoo pet bird lion elephant tiger shark whale snake insect
job: resume interview salary hire career apply employer remote vacancy linkedin hiring indeed glassdoor unemployed internship recruiter part_time full_time job_search wfh remote_job nurse developer barista monster ziprecruiter quit find_work job_opening job_offer
resume: cv job interview career application cover ats bullet_point cover_letter recruiter work_experience linkedin_profile keywords
interview: question candidate prepare practice mock behavioral nervous leetcode star_method tell_me_about_yourself interviewer whiteboard job_interview
recruiting: hire candidate applicant talent headhunter interview sourcing hr
freelance: gig client upwork contractor fiverr contract hourly
salary: pay wage income compensation raise paycheck glassdoor bonus negotiate levels_fyi minimum_wage overtime stock_options
law: legal contract court attorney lawyer sue lawsuit rights judge case divorce liable illegal statute tenant eviction copyright landlord negligence clause custody bankruptcy injury felony misdemeanor constitution legal_advice legal_rights small_claims
contract: agreement legal clause sign terms nda lease breach signature terms_of_service liability indemnity terminate negotiate boilerplate
court: case judge ruling lawsuit docket supreme_court appeal verdict trial
legislation: bill congress law senate parliament act lawmaker amendment vote statute
patent: invention inventor intellectual property uspto prior_art claims invented novelty patentability invention_idea
trademark: brand logo register infringement uspto brand_name registered_mark
immigration: visa green citizenship h1b uscis asylum refugee work_permit
government: agency federal public policy official congress mayor ministry president grant benefits city_hall federal_register public_record city_council statute foia
election: vote candidate poll president party ballot voter senator campaign democrat republican
politics: president congress senator election democrat republican governor minister biden trump
open_data: dataset government statistics public census statistic portal eurostat data_gov census_bureau world_bank who_data unemployment_rate
census: population demographic household age income ethnicity acs
crime: police criminal safety theft murder robbery fbi suspect
military: army war defense navy soldier veteran weapon tank
movie: watch actor film cinema netflix director imdb trailer oscar hollywood thriller comedy horror marvel showtimes blockbuster cast sequel screenplay documentary letterboxd box_office popcorn romcom sci_fi plot scorsese tarantino rotten_tomatoes christmas_movie movie_night nolan movie_recommendation movies_like
tv: show series episode watch netflix streaming season sitcom hbo drama channel breaking_bad game_of_thrones friends stranger_things seasons reality_show
streaming: netflix hulu watch disney movie hbo prime_video disney_plus justwatch
anime: manga episode japanese character naruto one_piece myanimelist crunchyroll otaku waifu
music: song listen spotify artist album playlist band concert genre lyrics rock jazz pop rap hiphop piano guitar chord beat mood apple_music classical edm country_music indie beatles drake beethoven soundtrack shazam tempo bpm new_music music_recommendation
song: lyrics singer music melody chorus tune karaoke hum ballad remix cover_song hit beyonce taylor_swift
playlist: spotify songs music listen roadtrip party mood workout mixtape vibe chill study_music sleep_music songs_like
lyrics: song singer words chorus sing genius
concert: ticket band live show venue tour taylor_swift gig ticketmaster arena stadium
podcast: episode listen host audio spotify joe_rogan apple_podcasts true_crime podcaster npr find_a_podcast podcast_episode
radio: station broadcast fm dj tune nowplaying tunein
video: youtube watch clip film footage tutorial vlog mp4 reel youtuber shorts screencast
youtube: video channel transcript creator subscriber youtuber vlog subtitles lecture timestamp captions thumbnail mrbeast youtube_link youtube_video tedtalk playlist subscribers
video_editing: clip trim subtitle footage merge cut montage capcut ffmpeg render transition intro
game: play player steam xbox playstation minecraft level nintendo console rpg multiplayer zelda roblox fortnite quest gamer cheat speedrun esports pvp gta elden_ring call_of_duty mario indie_game
chess: move lichess board grandmaster opponent checkmate elo stockfish fen knight pgn
steam: game pc valve achievement
board_game: play dice card family monopoly catan boardgamegeek settlers
minecraft: block mob redstone creeper craft
pokemon: pikachu type battle pokedex evolve charizard
puzzle: riddle sudoku crossword brain solve maze anagram logic teaser wordle
trivia: quiz question fact pub random_fact jeopardy general_knowledge quiz_night sudoku crossword
joke: funny laugh humor fun pun comedy dad_joke laughing hilarious sarcastic knock_knock stand_up roast one_liner
meme: funny template imgflip caption viral drake_meme gif funny_picture
sport: team match player league score season game championship soccer baseball hockey rugby olympics tournament espn standings athlete coach nba nfl mlb nhl ufc f1 playoff scoreboard fixture highlights referee
football: team match league goal player fifa premier nfl quarterback touchdown world_cup messi ronaldo champions_league super_bowl striker arsenal chelsea barcelona real_madrid manchester kickoff
basketball: nba lebron lakers dunk playoffs curry rebound celtics march_madness wnba
baseball: mlb pitcher home_run yankees batting dodgers shortstop red_sox world_series
cricket: ipl wicket batsman bowler t20 odi virat_kohli test_match world_cup_cricket
tennis: tournament wimbledon serve federer atp nadal djokovic us_open grand_slam racket
golf: course tee swing handicap putt pga hole tiger_woods masters caddie birdie
racing: f1 driver lap nascar grand_prix hamilton verstappen circuit
betting: odds wager gamble bet sportsbook bookmaker parlay
lottery: number jackpot win powerball mega_millions
event: concert festival ticket happening conference attend weekend exhibition meetup fair nightlife show eventbrite gallery_opening comedy_show what_to_do tonight things_to_do whats_on
ticket: concert event seat ticketmaster theater broadway
conference: attend speaker event talk summit keynote session
party: birthday celebrate guest invitation decorations theme host celebration
wedding: bride marriage venue dress guest engagement honeymoon speech groom vows bridesmaid wedding_dress caterer florist wedding_planner
relationship: partner love marriage breakup argument spouse boyfriend girlfriend couple ex heartbroken jealous cheating dating_advice crush couples_therapy
family_tree: ancestor genealogy family grandparent heritage relative ancestry surname grandmother great_grandfather familysearch great_grandmother roots census_record
baby: newborn parent infant diaper milestone stroller crib teething pacifier
parenting: kid child toddler teenager discipline mother father tantrum potty screen_time sibling
children: kid bedtime preschool toy nursery 5_year_old coloring kindergarten lullaby
horoscope: zodiac astrology sign aries leo scorpio birth star gemini taurus virgo capricorn pisces sagittarius cancer libra aquarius zodiac_sign daily_horoscope star_sign
astrology: horoscope zodiac birth chart sign planet natal ascendant moon_sign compatibility rising retrograde vedic
tarot: card fortune future divination major_arcana spread psychic
fortune: luck lucky destiny divination future omen crystal_ball fortune_cookie
dream: nightmare interpretation sleep meaning symbol lucid snake_dream teeth_falling dreamed subconscious
numerology: number birth destiny life_path
religion: god church bible prayer faith christian buddhist hindu islam jewish catholic spiritual temple mosque atheist sin
bible: verse scripture jesus god psalm gospel christian sermon genesis testament proverbs psalm_23 commandment apostle matthew
quran: islam verse muslim surah prayer hadith allah arabic tafsir
prayer: mosque islamic church salah qibla rosary pray
philosophy: stoic ethics plato nietzsche aristotle existential moral socrates kant ethics_question meaning_of_life
news: headline today happening article latest breaking journalist politics bbc cnn newspaper reuters current_affairs war ukraine election nyt guardian geopolitics latest_on newsfeed breaking_news whats_new
article: blog news write headline editorial column medium
trending: popular viral hot hashtag buzz google_trends
social_media: instagram facebook twitter tiktok post follower influencer viral caption linkedin schedule reel engagement pinterest threads tweet_thread content_calendar hootsuite buffer followers
twitter: tweet follower hashtag timeline elon tweets trending
instagram: post follower reel photo caption hashtag influencer
reddit: subreddit post thread comment upvote redditor ama
linkedin: profile connection network post networking recruiter headline
facebook: post friend meta marketplace
tiktok: video viral trend creator reel dance
discord: channel guild message bot role gaming
slack: channel message workspace thread dm emoji huddle
telegram: chat bot message bot_token
whatsapp: message chat contact
email: inbox mail gmail outlook send draft newsletter reply subject attachment unread spam cold_email compose recipient cc bcc reply_to follow_up_email signature thread write_an_email
gmail: email inbox label draft unread google
outlook: email calendar microsoft mail inbox exchange office365
calendar: meeting appointment schedule event availability agenda invite busy reschedule free_slot calendly google_calendar double_booked ical recurring rsvp weekly_schedule
meeting: zoom attendee agenda call minutes transcript participant standup notes recording teams google_meet calendar
zoom: meeting recording webinar video_call host
reminder: remind forget alarm due alert birthday pill later
todo: task due checklist productivity todoist grocery errands chore
task: todo due assign deadline productivity subtask kanban clickup todoist priority subtasks overdue
time: clock timezone hour date oclock current_time utc
timezone: clock city utc est pst gmt daylight time_zone_difference
date: day week calendar weekday days_between leap age_calculator day_of_the_week
holiday: christmas public festival day thanksgiving easter bank_holiday diwali
countdown: timer days christmas birthday how_many_days new_year
note: notion obsidian remember jot evernote notebook idea
notion: page database workspace note block wiki
obsidian: vault note markdown backlink zettelkasten
knowledge_base: documentation wiki helpdesk faq confluence internal
knowledge_graph: entity relation node memory neo4j ontology triple wikidata
memory: remember recall forget store conversation remembers long_term session previous_chat my_preferences remember_this past_conversations
crm: customer lead deal contact salesforce hubspot sales pipeline pipedrive account opportunity zoho
sales: lead customer prospect outreach pipeline quota pitch cold_call
lead: prospect outreach sales b2b apollo contact outbound
marketing: campaign audience ad promote customers social branding influencer newsletter funnel strategy viral promotion persona go_to_market roi content_calendar conversion ab_test
seo: keyword ranking google backlink traffic serp search_console ahrefs semrush meta_tag organic rank google_ranking on_page sitemap robots_txt alt_tag page_speed indexing google_search_console
advertising: ad campaign budget audience facebook_ads google_ads impression banner ppc
copywriting: slogan blog headline sales tagline product_description ad_copy landing_page persuasive
brand: logo identity slogan rebrand guideline mascot brand_name brand_identity
survey: question response form feedback poll questionnaire surveymonkey nps respondents
form: submission field response typeform google_forms signup fields
customer_support: ticket zendesk helpdesk complaint agent refund intercom freshdesk faq live_chat
project_management: task jira sprint board milestone asana trello gantt deadline clickup monday roadmap stakeholder resource_planning backlog basecamp smartsheet
jira: issue sprint epic atlassian backlog assignee story_point
linear: issue cycle project backlog sprint
trello: board kanban column
asana: project workspace assignee section
github: repository issue pull commit branch code star fork gist contributor readme
gitlab: merge pipeline project repository ci mr runner
git: commit branch diff merge repository stash rebase cherry_pick clone blame push
code: programming function bug python javascript refactor developer snippet script typescript java compile syntax rust program stackoverflow function_call unit_test code_snippet rewrite algorithm boilerplate kotlin golang php linter
code_review: pull diff comment quality linter pull_request smell
programming: code python javascript debug developer algorithm leetcode coding beginner java stack_overflow c_sharp beginner_coder web_development code_example rust golang php kotlin
documentation: docs library api reference guide example readme tutorial sdk framework
library: package docs version dependency framework module import
package: npm pypi dependency version install pip cargo maven semver registry
ci: build pipeline deploy workflow test jenkins github_actions circleci runner
deployment: release rollout production deploy vercel netlify heroku rollback cloudflare railway fly_io
testing: unit coverage assert playwright jest pytest selenium e2e flaky
debugger: breakpoint stack variable exception crash traceback
reverse_engineering: binary disassemble decompile malware ghidra ida firmware
docker: container image compose volume dockerfile registry
kubernetes: pod cluster deployment namespace helm node ingress kubectl replica grafana deployment_yaml
cloud: aws azure gcp instance serverless hosting cloud_cost load_balancer autoscaling s3_bucket digitalocean heroku cloudflare vercel netlify
azure: subscription resource tenant microsoft keyvault aks cosmos
aws: s3 lambda ec2 iam cloudwatch amazon dynamodb cloudformation
gcp: google cloud bigquery cloud_run gke
serverless: function lambda trigger cold_start
vm: instance machine compute server ssh virtual_machine vmware droplet
storage: blob bucket file disk container s3 upload archive
secret: vault password credential key api_key rotation env
vault: secret key certificate
monitoring: alert metric log dashboard uptime latency incident grafana prometheus datadog alarm cpu_usage outage slow healthcheck
log: error trace debug splunk kibana stack_trace
metric: cpu memory usage performance latency prometheus datadog
incident: outage alert oncall pagerduty postmortem on_call downtime
observability: trace log metric span opentelemetry datadog jaeger
cost_management: spend usage billing budget
infrastructure: terraform bicep provision cloud ansible pulumi cloudformation
network: subnet ip firewall vpc router dns packet ping wifi port
database: sql query table schema row postgres mysql record sqlite mongodb index insert foreign_key migration nosql dynamodb supabase redis elasticsearch oracle dump
sql: query table select join database postgres mysql
schema: column field structure
data_warehouse: bigquery snowflake redshift analytics dbt clickhouse databricks
vector_database: embedding similarity semantic pinecone qdrant rag weaviate chroma nearest_neighbor
search_engine: google bing web result duckduckgo brave
web_search: internet online latest research browse current lookup up_to_date google_it bing real_time_information
web_scraping: crawl scrape website extract html beautifulsoup crawler selenium firecrawl scraper parse_html headless proxies captcha data_extraction
browser: click page navigate screenshot website form chrome tab playwright puppeteer login firefox cookies popup captcha scroll
website: page url site html domain webpage homepage wordpress landing_page signup
html: page tag markup website css webpage dom
screenshot: capture screen webpage window full_page webpage_image
pdf: document page extract merge split scanned adobe ebook annotate chapter lecture_notes manual long_document user_manual fill_in highlight this_pdf pdf_file
document: file docx report text paragraph letter memo doc whitepaper proposal sop transcript policy_document
spreadsheet: excel row column cell formula sheet csv pivot google_sheets vlookup
excel: spreadsheet formula workbook chart vlookup macro pivot xlsx
presentation: slide powerpoint deck pitch keynote slideshow google_slides talk bullet_points speaker_notes pitch_deck pptx
word_document: docx paragraph heading letter
file: folder path directory download upload zip rename
google_drive: file folder doc upload sheet docs
ocr: scan text image recognize handwriting screenshot receipt scanned text_in_image read_receipt
summary: summarize short points tldr gist condense recap key_takeaway too_long bullet_points long_article shorten summarize_this main_point
translation: translate language english spanish french chinese german japanese italian korean portuguese arabic russian hindi foreign_language deepl translate_this vietnamese polish turkish latin interpreter subtitles ukrainian dutch
language_learning: vocabulary spanish practice fluent speak grammar duolingo pronunciation verb japanese conversation tutor french mandarin italian flirt conjugation phrasebook native_speaker
grammar: spelling sentence correct proofread mistake punctuation rewrite grammarly typo
dictionary: meaning define word definition synonym thesaurus etymology pronunciation antonym rhyme slang idiom proverb rhyming
writing: essay blog story draft author edit novelist screenplay outline paragraph copy blog_post novel_chapter tone writers_block grammar
essay: write paragraph academic thesis college argument outline
story: character plot write fiction tale novel hero fantasy chapter protagonist plot_twist short_story villain fantasy_novel fan_fiction
poem: rhyme verse write poetry haiku sonnet stanza limerick poet
book: read novel author literature bestseller isbn goodreads kindle chapter harry_potter library paperback books_like audiobook stephen_king tolkien sci_fi_book memoir
quote: inspiration motivational saying famous wisdom einstein proverb marcus_aurelius inspiring shakespeare quote_of_the_day
education: student school teacher class learn course classroom curriculum homework lesson_plan grade k12 pupil kindergarten high_school e_learning syllabus
course: learn class lesson study udemy coursera university certificate bootcamp mooc skillshare lecture khan_academy learn_python edx codecademy beginner online_course online_class
university: college admission degree student campus harvard tuition scholarship gpa major mit stanford oxford phd masters undergraduate ranking
exam: test question study student prepare sat gre gmat toefl quiz revision grading lsat mcat ielts bar_exam midterm final multiple_choice
flashcard: memorize anki study deck spaced_repetition quizlet vocabulary mnemonics
homework: student math solve assignment essay stuck worksheet
paper: research arxiv academic study journal citation author pubmed scholar preprint doi semantic_scholar peer_reviewed abstract thesis publication nature jstor ieee scientist methodology google_scholar publications research_paper scientific_article
research: paper study academic literature scientific evidence scientist hypothesis academia phd
citation: reference bibliography paper cite apa mla doi zotero
pubmed: medical biomedical medline health clinical
science: experiment physics research scientific lab scientist discovery theory
physics: force energy equation quantum relativity gravity particle newton velocity einstein thermodynamics momentum electron optics magnetism
math: calculate equation solve algebra integral calculus geometry number derivative matrix fraction trigonometry theorem wolfram polynomial logarithm quadratic prime_number factorial exponent percent_of word_problem square_root differential
calculator: calculate sum multiply percentage compute tip subtract divide percent bmi split_the_bill tip_calculator
statistics: average mean regression probability distribution median correlation standard_deviation hypothesis p_value
unit_conversion: convert meter mile kilogram celsius inch fahrenheit ounce pound liter feet kilometer cup gallon
data_analysis: dataset csv insight trend statistics pandas correlation spreadsheet outlier csv_file excel_file pivot pandas_dataframe clean_data
machine_learning: train model dataset predict neural classifier pytorch tensorflow deep_learning training huggingface neural_network overfitting xgboost random_forest regression gradient
chart: graph plot bar line pie visualize histogram scatter piechart trendline bar_chart pie_chart line_graph heatmap boxplot
diagram: flowchart mermaid uml sequence architecture org_chart plantuml er_diagram gantt class flow sequence_diagram network_diagram swimlane visio drawio graphviz sitemap
mind_map: brainstorm idea tree xmind concept branch
image: picture photo draw jpg png wallpaper pic
image_generation: draw picture art generate dalle midjourney illustration painting anime_style portrait sketch stable_diffusion cartoon realistic avatar drawing logo_idea poster watercolor oil_painting photorealistic flux imagen picture_of draw_me
image_editing: crop resize background photo filter photoshop watermark upscale retouch
logo: brand design icon emblem vector logo_design company_logo wordmark
design: figma ui layout color poster flyer canva mockup banner business_card brochure infographic moodboard
color: palette hex rgb shade paint gradient hue
font: typography typeface google_fonts serif handwriting_font
3d: model mesh blender render print stl obj sculpt blender_model 3d_print texture
icon: svg symbol favicon glyph
art: painting artist museum gallery drawing picasso sculpture van_gogh masterpiece sketch monet impressionism watercolor art_history renaissance
museum: art exhibit collection painting louvre exhibition met smithsonian british_museum rijksmuseum artifact
photography: camera photo lens lightroom portrait landscape shutter iso aperture dslr exposure photoshoot take_better_photos
audio: sound voice record mp3 music noise podcast flac voice_recording mp3_file volume
text_to_speech: voice read aloud speak audio narration elevenlabs voiceover narrate audiobook natural_voice read_this_aloud narrator
speech_to_text: transcribe recording audio dictation whisper voice_memo transcription lecture convert_recording voice_note recording_to_text audio_file otter
voice: speak accent alexa spoken
phone: call sms number dial dial_number telephone landline caller
sms: message phone send twilio whatsapp
security: vulnerability threat attack malware hack breach pentest ransomware hacker firewall cyber sql_injection xss ddos owasp cyberattack antivirus
vulnerability: cve exploit patch security zero_day log4j nvd
malware: virus threat scan suspicious ransomware virustotal trojan antivirus
password: secure strong login leak passphrase forgot manager
phishing: scam suspicious url fake spam fraud link
privacy: personal gdpr pii anonymous tracking cookie vpn personal_data data_protection
domain: website dns register whois name dot_com registrar namecheap tld godaddy domain_name available_domain website_name
dns: record domain nameserver resolve mx cname dig
ip_address: location geolocation network isp where_am_i proxy
qr_code: scan barcode wifi menu generate_qr vcard scan_code
url_shortener: link short tiny bitly tinyurl long_link
email_verification: valid bounce deliverability disposable
prompt: chatgpt gpt ai instruction template prompt_engineering midjourney jailbreak persona system_prompt better_prompt midjourney_prompt
ai_model: llm gpt claude inference openai anthropic gemini llama mistral
ai_agent: autonomous assistant multi_agent crew orchestrate
ai_detection: plagiarism written human generated gptzero chatgpt essay
chatbot: conversation assistant bot talk customer faq intent
sequential_thinking: step think chain_of_thought break_down reflect
automation: workflow trigger zapier automate n8n ifttt cron
workflow: automate step trigger approval pipeline orchestrate
rss: feed news subscribe blog podcast
smart_home: light thermostat lamp device alexa temperature hue bulb lock home_assistant doorbell philips_hue nest robot_vacuum lights blinds
iot: device sensor telemetry mqtt esp32
energy: electricity solar power consumption kwh gas meter renewable
solar: panel energy sun roof photovoltaic rooftop
electricity: power bill grid kwh outage tariff utility
sustainability: carbon green environment eco recycle footprint renewable esg
agriculture: crop farm soil farmer harvest wheat livestock corn irrigation
charity: donate nonprofit cause donation volunteer fundraiser ngo red_cross unicef gofundme homeless
logistics: shipping freight warehouse container supply_chain customs
manufacturing: factory part supplier machine cnc production
business: company startup entrepreneur idea profitable small_business venture pitch_deck side_hustle business_idea small_shop llc
startup: founder funding business investor pitch yc vc unicorn crunchbase pitch_deck side_hustle accelerator business_idea
company: ceo employee revenue headquarters business competitor founder crunchbase firm apple
company_registry: incorporation director registration companies_house llc ein
competitor: compare rival analysis swot benchmark alternative
people_search: person contact linkedin background_check lookup phone_lookup old_friend whitepages
contact: phone email person address phonebook address_book vcard
human_resources: employee leave payroll onboarding vacation benefits performance_review
review: rating opinion feedback stars yelp trustpilot
decision: choose pros cons option dilemma undecided coin_flip pros_and_cons torn weigh
random: dice coin shuffle flip_coin roll random_number coin_toss lucky_number picker
name_generator: baby name username nickname domain startup_name pet_name band_name business_name company_name
ascii: text banner figlet letters
emoji: smiley symbol icon emoticon reaction
uuid: identifier random_id
hash: md5 sha256 checksum sha1 digest
encoding: base64 decode url hex binary morse
regex: pattern match expression regexp capture
json: parse format schema object jsonpath yaml
xml: parse element xpath xslt
markdown: readme html table_of_contents
latex: equation paper overleaf bibtex
history: past century ancient war war_ii roman empire medieval revolution king world_war ww2 napoleon cold_war civil_war dynasty pharaoh ancient_rome
wikipedia: encyclopedia fact history biography wiki who_was
encyclopedia: fact article knowledge
culture: tradition festival cuisine etiquette folklore heritage custom_of
mythology: god legend myth zeus greek norse odin hercules thor poseidon
country: capital population flag nation continent language currency
city: town population urban mayor cost_of_living downtown new_york london chicago berlin
population: census country density growth inhabitants how_many_people
aviation: aircraft flight airport pilot boeing cessna metar notam
vessel: ship marine tracking port ais cargo
wildlife: animal species bird nature endangered bear conservation
water: river lake quality drinking rainfall
license_plate: car vehicle registration dmv number_plate
used_car: dealer mileage carvana autotrader secondhand carmax trade_in car_value kelley_blue_book
motorcycle: bike ride harley yamaha helmet
diy: build repair craft woodworking tools homemade tutorial drill
craft: diy handmade knitting crochet sewing origami knit
hobby: activity collecting pastime leisure stamp
activity: fun bored weekend indoor outdoor kids rainy_day date_idea things_to_do
bored: activity fun nothing_to_do boredom entertain kill_time
motivation: inspire goal habit quote procrastinate quit_smoking discipline
habit: routine daily streak track quit morning_routine daily_habit
goal: achieve progress resolution smart_goal
productivity: focus task habit procrastination distraction
coaching: mentor career life_coach confidence accountability life_advice
therapy: counselor emotion stress talk vent cbt talk_therapy coping trauma
personality: mbti test trait introvert enneagram big_five infp intj personality_test
psychology: behavior mind personality cognitive bias freud attachment_style narcissist motivation mindset
career: job path skill profession promotion switch
skill: learn training hard_skill soft_skill upskill
tutor: lesson teach math explain algebra physics
pollen: allergy hayfever ragweed sneezing grass
uv_index: sunscreen sunburn tan sun spf
volcano: eruption lava ash magma
hurricane: cyclone typhoon tropical storm landfall noaa hurricane_season eye_of_the_storm
wildfire: fire smoke evacuation containment
flood: river rain inundation levee
surf: wave swell surfboard surfer break windsurf surf_report wetsuit offshore
tide: low_tide high_tide beach fishing coast
fishing: fish angler bait rod trout bass lake catch
boat: sail yacht kayak marina sailing charter sailboat catamaran
diving: scuba snorkel reef underwater
satellite: orbit imagery starlink landsat tle
moon: lunar full_moon eclipse moonrise phase new_moon waxing crescent
sun: sunrise sunset dawn dusk daylight solar
itinerary: trip day_trip sightseeing roadtrip stopover honeymoon weekend_getaway
destination: paris bali rome hawaii maldives island honeymoon warm vacation
road_trip: drive highway stop motel camper route66
airline: lufthansa delta ryanair united emirates baggage flight miles
airport: jfk lax heathrow terminal gate lounge runway iata departure
bike_sharing: bicycle scooter dock citibike rental
cycling: bicycle bike ride pedal strava cyclist tour_de_france bike_route gravel
ferry: boat island crossing harbor
car_repair: mechanic brake engine oil tire garage obd noise
charging_station: ev tesla supercharger plug kwh charger electric_car
gas_station: fuel gasoline petrol diesel pump gas_price
vin: vehicle recall chassis decode
gis: shapefile geojson polygon layer raster projection spatial
geography: capital river continent country border desert
elevation: altitude height hill terrain
traffic: jam congestion accident road rush_hour commute
theme_park: disney ride roller_coaster queue universal disneyland legoland wait_time six_flags
national_park: yellowstone yosemite ranger campground trail grand_canyon zion hike
passport: visa travel renew expired embassy
packing_list: luggage suitcase trip clothes carry_on what_to_pack
luggage: suitcase baggage carry_on bag airline
tour_guide: tour museum audio_guide sightseeing
tour: guide sightseeing viator excursion walking
menu: dish restaurant starter dessert
food_delivery: takeout doordash ubereats pizza order burger grubhub hungry
cooking: oven fry boil roast chef pan kitchen knife simmer
baking: cake bread cookie flour oven sourdough dough yeast
meal_plan: weekly dinner prep diet calorie grocery breakfast
weight_loss: diet calorie lose_weight fat slim bmi
allergy: peanut gluten lactose reaction allergen shellfish hives
food_safety: recall expired expiration spoiled salmonella
vegan: plant_based vegetarian tofu dairy_free meatless
beer: brewery ipa lager ale craft pub pint stout pilsner hops homebrew
tea: green herbal brew matcha
yoga: pose stretch asana flexibility vinyasa downward_dog yogi
fitness_tracker: fitbit steps heart_rate garmin strava apple_watch sleep
hospital: emergency surgery er nurse bed clinic icu surgeon emergency_room
dentist: tooth cavity braces teeth gum root_canal wisdom_tooth toothache
pharmacy: prescription cvs walgreens refill pill
disease: cancer diabetes covid flu virus infection alzheimer malaria epidemic
vaccine: covid flu shot immunization booster measles hpv vaccinated
covid: coronavirus pandemic virus vaccine infection quarantine lockdown omicron
cancer: tumor oncology chemotherapy leukemia
diabetes: insulin glucose blood_sugar metformin
blood_test: cholesterol lab glucose hemoglobin
first_aid: burn bleeding cpr choking bandage wound
medical_record: patient ehr fhir hospital
medical_imaging: mri xray ct_scan radiology dicom
bmi: weight height overweight obese body
supplement: vitamin creatine magnesium omega ashwagandha protein_powder probiotics
fertility: ovulation period cycle conceive
addiction: smoking quit alcohol sober rehab nicotine drinking_problem
disability: accessibility wheelchair blind deaf
elderly: senior caregiver nursing_home aging dementia retirement_home grandparents
bioinformatics: blast fasta sequence genome alignment rna
molecule: smiles pubchem atom bond structure caffeine aspirin benzene
material: steel alloy crystal polymer property
taxonomy: genus organism classification gbif
anatomy: bone muscle organ body skeleton liver kidney spine
neuroscience: brain neuron cortex eeg
personal_finance: budget debt net_worth money paycheck spending mint emergency_fund pay_off_debt savings_account
retirement: pension 401k ira social_security retire nest_egg fire_movement
etf: fund index vanguard spy holding index_fund qqq
bond: treasury yield coupon maturity
technical_analysis: rsi macd moving_average candlestick bollinger
backtest: strategy trading historical
commodity: gold silver oil wheat copper corn crude natural_gas platinum soybean
gold: silver precious_metal ounce bullion
valuation: dcf worth company
venture_capital: startup funding investor seed series_a
ethereum: eth gas smart_contract erc20 vitalik erc721 gwei layer2
smart_contract: solidity ethereum abi audit deploy
token: erc20 mint holder supply
dao: proposal governance vote treasury
interest_rate: fed apr central_bank loan mortgage
bank_account: balance transaction deposit iban transfer statement
credit_card: visa mastercard amex cashback points reward apr annual_fee balance_transfer capital_one chase_sapphire airline_miles
credit_score: fico credit experian equifax credit_report credit_history bad_credit
debt: owe loan credit payoff
subscription: cancel monthly renewal billing netflix
payroll: salary employee paycheck wage
price_comparison: cheapest retailer compare lowest_price price_history
product_review: pros cons rating
ebay: auction bid seller used
auction: bid ebay antique
secondhand: used thrift craigslist ebay vintage vinted poshmark facebook_marketplace
shoes: sneaker boot nike adidas heel sandals loafers running_shoes footwear
jewelry: ring necklace diamond earring bracelet engagement_ring gold_chain pearl
skincare: acne moisturizer serum sunscreen wrinkle dry_skin retinol
hairstyle: haircut hair barber salon curly bangs hair_color beard
electronics: laptop phone tv headphones camera gadget bluetooth_speaker tablet graphics_card
interior_design: living_room decor sofa paint bedroom furniture rug redecorate home_decor room_makeover
post_office: stamp mail postage usps letter
inventory: stock warehouse sku supply reorder
rent: landlord tenant lease apartment deposit
home_repair: plumber leak electrician handyman faucet clogged drain broken_window toilet
construction: building contractor concrete site permit scaffolding bricks building_permit
floor_plan: room layout blueprint room_layout square_feet
dog: puppy breed bark leash walk labrador golden_retriever chihuahua poodle husky german_shepherd bulldog chew dog_breed dog_training
cat: kitten litter breed feline siamese purr meow scratch
pet_adoption: shelter dog cat rescue puppy
veterinarian: vet pet sick dog cat vaccination sick_dog limping
bird: birdwatching ebird parrot species eagle owl hummingbird robin
insect: bug bee butterfly spider ant mosquito wasp moth
cover_letter: job application resume employer
workplace: colleague boss office coworker
lawyer: attorney sue divorce legal_advice court paralegal litigation injury bankruptcy
case_law: precedent ruling opinion court judge roe_v_wade miranda plaintiff
regulation: rule compliance agency fda epa law gdpr osha code_of_federal
compliance: gdpr audit hipaa regulation soc2 policy
copyright: license infringement fair_use dmca public_domain creative_commons
e_signature: docusign sign contract signature
divorce: custody alimony marriage separation prenup
public_service: permit license benefit dmv driver_license birth_certificate
nonprofit: charity ngo donation 501c3 grant
actor: actress cast celebrity movie filmography tom_hanks leonardo_dicaprio imdb
celebrity: famous actor singer gossip net_worth kardashian paparazzi oscars
manga: anime chapter comic volume
comic: marvel dc superhero batman spiderman graphic_novel xkcd webtoon
superhero: marvel batman spiderman avengers superman wolverine marvel_movie
music_theory: chord scale harmony interval mode key_signature
music_generation: melody beat compose midi suno instrumental ai_music jingle make_a_song
guitar: chord tab string fret ukulele fender strumming
piano: keyboard sheet_music chord pianist keys
sheet_music: score piano notation musescore violin
midi: synth daw track ableton melody
audiobook: audible listen narrator libby
video_generation: animate sora clip avatar text_to_video runway explainer_video talking_head promo_video
subtitle: caption srt movie transcript add_captions opensubtitles vtt
screen_recording: record capture demo loom
gif: animated giphy funny reaction tenor sticker
live_stream: twitch streamer obs broadcast youtube_live
video_game: xbox playstation nintendo console rpg zelda switch
game_development: unity unreal godot sprite
unity: scene gameobject prefab csharp
text_adventure: story rpg dungeon interactive quest zork choose_your_own_adventure interactive_fiction
dungeons_and_dragons: dnd dungeon_master d20 spell monster character_sheet npc encounter wizard paladin tabletop
roleplay: character fantasy rpg pretend act_as pretend_to_be
magic_card: mtg deck scryfall commander
card_game: poker blackjack uno solitaire rummy
poker: hand holdem bluff casino texas_holdem royal_flush
casino: slot roulette blackjack gamble
crossword: clue puzzle letters nyt_crossword letter_word
word_game: anagram scrabble wordle hangman rhyme crossword letters
quiz: multiple_choice question trivia test score test_me test_my_knowledge kahoot
nfl: football quarterback touchdown super_bowl patriots
soccer: goal premier_league world_cup messi fifa champions_league la_liga bundesliga goalkeeper penalty
hockey: nhl puck goalie stanley_cup ice_hockey
boxing: ufc fight mma knockout tyson heavyweight
martial_art: karate judo jiu_jitsu taekwondo kickboxing self_defense
fantasy_sport: lineup draft fantasy_football waiver
live_score: match result final scoreline half_time final_score kickoff who_won
theater: broadway play musical stage opera ballet west_end shakespeare
festival: music coachella carnival summer burning_man oktoberfest glastonbury
nightlife: club bar dj dance bars clubs pub_crawl
dance: salsa ballet choreography tango hip_hop_dance dancer
meetup: local group networking
invitation: rsvp guest party wedding evite invite_guests
birthday: cake party gift age birthday_party turning_30
greeting_card: birthday christmas card thank_you_card e_card
baby_name: newborn boy girl name
bedtime_story: kid child sleep fairy_tale lullaby toddler sleepy
fairy_tale: princess story dragon grimm once_upon_a_time cinderella
i_ching: hexagram divination coins yijing
feng_shui: energy room furniture bagua compass room_layout qi
bazi: four_pillars birth chinese destiny
torah: talmud jewish hebrew sefaria rabbi mishnah
spirituality: soul universe enlightenment chakra
ethics: moral right wrong dilemma trolley_problem bioethics
fact_check: true false misinformation hoax claim rumor debunk conspiracy snopes politifact
journalism: reporter newspaper source press
press_release: announcement media news media_kit newswire
hashtag: instagram trending post twitter trending_hashtags
influencer: creator follower instagram sponsor sponsorship tiktoker
email_marketing: mailchimp newsletter campaign subscriber open_rate
newsletter: substack subscriber mailing email weekly_digest
cold_email: outreach prospect lead sales
appointment: book doctor salon slot schedule dentist_appointment haircut
webinar: zoom presentation attendee online_event live_session
transcript: captions meeting lecture recording youtube video_transcript youtube_transcript
time_tracking: hours timesheet clockify
timer: alarm pomodoro stopwatch minute egg countdown set_timer
bookmark: save link read_later pocket
journal: diary reflection mood entry gratitude dear_diary
keyword_research: seo search_volume ranking ahrefs
google_analytics: visitors pageview bounce session
web_analytics: visitor traffic pageview bounce
google_ads: campaign keyword ppc bid
customer_feedback: review nps complaint sentiment
sentiment_analysis: positive negative opinion review tone
okr: objective key_result goal quarter
agile: scrum sprint standup retrospective
code_execution: run python sandbox script interpreter
python: script pip pandas django matplotlib run_code
javascript: node npm react frontend nodejs browser_script
react: component hook frontend jsx
frontend: react css component ui tailwind
mobile_app: ios android swift flutter app_store app_idea iphone_app android_app
ios: xcode swift simulator iphone
android: adb kotlin emulator apk
app_store: ios rating download review
language_server: lsp definition symbol reference
static_analysis: lint semgrep sonarqube sast
api: endpoint rest openapi swagger postman graphql api_key rest_api json_response
load_testing: performance k6 jmeter stress concurrent_users
error_tracking: sentry exception crash stack_trace bugsnag
ssh: remote server terminal putty sftp
web_hosting: server wordpress cpanel domain hostinger bluehost vps
backup: restore snapshot disaster_recovery rsync
uptime: down website status ping is_it_down website_down
terraform: provider module state hcl tfstate plan_apply
vpn: privacy tunnel wireguard nordvpn openvpn
wifi: router password internet signal wifi_password slow_internet
internet_speed: speedtest bandwidth download slow mbps slow_internet
graph_database: neo4j cypher node relationship
data_pipeline: etl airflow dbt ingestion
message_queue: rabbitmq kafka sqs pubsub
semantic_search: embedding vector similar rag nearest
browser_automation: click form playwright puppeteer selenium login
website_builder: landing_page wordpress wix squarespace portfolio build_a_website make_a_website one_page
cms: wordpress contentful headless strapi ghost
url: link webpage website page article http https webpage_content read_this
web_page: url article html webpage url_content this_website
archive: wayback old_version snapshot wayback_machine internet_archive deleted_page
accessibility: wcag contrast screen_reader alt_text
document_chat: pdf ask upload ask_pdf chat_with_pdf my_documents knowledge_files
file_conversion: pdf docx mp3 convert format mp4_to_mp3 heic pdf_to_word word_to_pdf
pronunciation: ipa accent phonetic how_to_say pronounce
spelling: typo misspell correct spell misspelled
proofreading: grammar typo edit essay check_my_grammar
paraphrase: rewrite reword rephrase humanize rewrite_this sound_human
screenplay: script scene dialogue hollywood movie_script
letter: cover formal complaint complaint_letter resignation recommendation_letter
worldbuilding: fantasy character lore kingdom fantasy_world
library_catalog: book borrow isbn shelf
ebook: kindle epub gutenberg public_domain_book
biography: life born famous person childhood life_of
lesson_plan: teacher class curriculum activity 3rd_grade classroom_activity
teacher: classroom lesson student grading
scholarship: tuition college financial_aid student grant fafsa tuition_fee
college_admission: sat gpa application personal_statement common_app
literature_review: paper research systematic meta_analysis related_work
plagiarism: copied essay original turnitin copied_text originality
quantum: qubit circuit physics qiskit entanglement
engineering: mechanical electrical circuit structural bridge beam torque
electronics_design: circuit pcb resistor arduino
arduino: microcontroller sensor raspberry_pi breadboard esp32 led
robotics: robot arm ros drone lego_robot servo
symbolic_math: sympy equation simplify wolfram solve_for
probability: odds chance dice random bayes coin_flip
data_visualization: chart graph plot dashboard matplotlib tableau plotly
dashboard: kpi chart report tableau powerbi
dataset: kaggle csv huggingface download training_data csv_download
hugging_face: model dataset transformer space
fine_tuning: train llm lora train_model custom_model
computer_vision: detect image face image_recognition opencv segmentation
face_recognition: face photo identify selfie
object_detection: yolo image bounding_box count_objects
time_series: forecast seasonal anomaly forecasting arima
flowchart: decision mermaid lucidchart decision_tree process_map
timeline: history chronology milestones chronological_order gantt
whiteboard: miro excalidraw sketch sticky_note
brainstorming: idea creative think ideas think_of ideation
image_search: photo unsplash picture stock find_pictures google_images
stock_photo: unsplash pexels pixabay image royalty_free shutterstock
background_removal: transparent cutout remove_background remove_bg cut_out
upscale: resolution image quality sharpen blurry enhance_photo 4k
tattoo: ink design sleeve tattoo_design
figma: component frame prototype design
poster: flyer banner print design movie_poster event_flyer
ui_design: wireframe mockup figma button app_screen dark_mode
3d_printing: stl printer filament thingiverse print
cad: autocad openscad drawing part solidworks fusion
audio_editing: trim noise mp3 mix noise_reduction audacity
sound_effect: noise clip audio sfx foley
voice_cloning: voice speaker sample my_voice deepfake
phone_number: caller spam lookup area_code who_called reverse_phone
cybersecurity: hacker attack threat mitre
penetration_testing: nmap exploit kali hack
data_breach: pwned leaked hacked password have_i_been_pwned password_leak
encryption: encrypt key aes pgp decrypt cipher
authentication: login oauth sso token login_page passkey
osint: investigate username social sherlock digital_footprint investigation
ssl: certificate https expiry tls lets_encrypt
barcode: upc scan ean isbn_scan
prompt_engineering: chatgpt prompt
ai_tools: gpt plugin directory discover best_ai ai_app ai_assistant
plugin_store: plugin discover chatgpt which_plugin plugin_recommendation chatgpt_plugin
chatgpt: openai gpt prompt gpt4 custom_gpt
zapier: zap automation ifttt integromat
no_code: build drag airtable bubble drag_and_drop retool
desktop_automation: mouse keyboard window click
linux: ubuntu bash terminal macos debian apt sudo systemctl
home_assistant: light automation entity lights
carbon_footprint: emission co2 offset climate carbon_offset flying_emission
recycling: waste trash plastic bin compost landfill
supply_chain: supplier inventory logistics sourcing shortage
customs: import tariff hs_code duty duty_free import_duty
market_research: trend survey industry consumer target_audience market_size industry_report
text_processing: count replace words uppercase remove_duplicates word_count
world_war: ww2 hitler nazi battle d_day holocaust pearl_harbor
archaeology: ancient artifact ruins fossil excavation
sign_language: asl deaf gesture
cost_of_living: rent expensive city salary numbeo expensive_city
school: district kindergarten teacher grade elementary middle_school private_school
flight_tracking: ads_b delayed landed flightradar flight_status
rv: camper motorhome campground winnebago
woodworking: wood saw lumber workbench carpentry
knitting: yarn crochet pattern sweater
sewing: fabric pattern stitch quilt
self_improvement: confidence habit book self_help discipline habits
public_speaking: speech nervous presentation toast podium stage_fright ted_talk audience
coloring_page: kid draw printable line_art
jogging: marathon jog pace 5k 10k strava garmin runner half_marathon
microsoft_teams: meeting chat microsoft team
accountant: bookkeeping ledger invoice quickbooks xero debit audit balance_sheet reconcile cpa payables receivables
relocation: movers moving_truck relocate boxes new_city move_abroad expat
expat: abroad relocate visa foreign_country digital_nomad
housekeeping: stain vacuum laundry detergent mop dishwasher chores declutter cleaning_lady remove_stain
funding: grant seed crowdfunding kickstarter
genealogy: ancestor ancestry family_history grandfather dna_test birth_record
infographic: visual poster statistics stats
dating_advice: girlfriend boyfriend tinder crush flirt hinge first_date breakup bumble ghosted soulmate pickup_line romantic
romance: girlfriend boyfriend tinder crush flirt valentine love_letter soulmate pickup_line kiss affection bumble
macro: vba excel script
drone: uav quadcopter flying dji aerial
fossil: dinosaur paleontology extinct trex
geology: rock mineral volcano fossil earthquake
mineral: rock crystal gem geology
horse_racing: horse jockey derby betting
security_camera: cctv surveillance doorbell footage
hs_code: customs import export classification
emergency: 911 ambulance hotline shelter
public_record: property deed court arrest
property_tax: house assessment county
zoning: land permit parcel
vacation_rental: airbnb cabin villa beach_house
hostel: backpacker dorm cheap
coworking: desk office remote digital_nomad
remote_work: wfh home_office digital_nomad
babysitter: nanny childcare sitter
childcare: daycare nanny kindergarten
physiotherapy: back_pain injury knee posture stretching rehab shoulder
heart: blood_pressure pulse cardiac ecg cardio palpitation
skin: acne rash mole dermatology
hair: haircut curly shampoo bald
breastfeeding: milk infant nursing
menstruation: period cycle pms
cannabis: weed marijuana thc cbd strain
spice: seasoning herb pepper flavor
bbq: grill smoker brisket ribs
kitchen: pan oven knife utensil
appliance: fridge dishwasher washer microwave oven air_fryer vacuum_cleaner coffee_machine
lawn: grass mow mower
pest: cockroach mice termite ants bedbug rodent bed_bugs exterminator
mushroom: fungus edible forage morel truffle
weather_alert: tornado warning storm severe
snow: avalanche ski powder blizzard
tax_calculator: income_tax take_home paycheck how_much_tax net_pay
net_worth: assets wealth rich billionaire
billionaire: rich forbes elon_musk wealth
stock_screener: undervalued dividend pe_ratio filter
insider_trading: ceo form4 congress_trades
market_news: stock headline wall_street
prediction_market: polymarket odds bet kalshi
gas_fee: gwei ethereum transaction
stablecoin: usdt usdc peg
web3: dapp ethereum wallet onchain
product_description: listing_copy amazon shopify seller
print_on_demand: tshirt mug etsy
stripe: payment charge refund subscription
salesforce: soql opportunity lead crm
spotify: playlist song album track
nasa: space apod mars rover
world_bank: gdp poverty country indicator
fred: gdp inflation unemployment_rate economic
code_search: grep symbol repository
code_generation: scaffold boilerplate component
refactoring: cleanup rename code_smell
dependency: outdated npm upgrade
test_automation: selenium playwright cypress e2e
bi: tableau powerbi dashboard kpi
etl: airflow ingest transform
chemical: toxic hazard msds compound
drug_discovery: molecule target docking chembl
ecology: ecosystem biodiversity habitat
oceanography: sea buoy salinity
particle_physics: cern collider quark higgs
optimization: linear_programming constraint solver minimize
logic: proof theorem prover boolean
theorem_proving: lean proof coq
graph_theory: shortest_path node edge
cryptography: rsa cipher encrypt
blockchain_explorer: etherscan transaction_hash block
content_moderation: toxic nsfw offensive hate
content_creation: blog_post caption video_idea creator content_idea reels youtube_idea
video_script: youtube hook scene
ad_creative: banner facebook_ad copy
travel_advisory: safe dangerous warning is_it_safe
sunrise: sunset dawn golden_hour sunset_time
birth_chart: ascendant natal zodiac
compatibility: zodiac love_match
chinese_zodiac: ox dragon rabbit
islam: ramadan mosque halal mecca eid prayer_time hadith
christianity: jesus church gospel lent baptism saint
hindu: gita vedas krishna temple
buddhist: buddha zen dharma monk
edgar: sec 10k 10q 8k annual_report shareholder prospectus company_filing
`;

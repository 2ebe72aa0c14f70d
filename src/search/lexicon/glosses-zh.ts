/**
 * Chinese words of the tool world and their English glosses: `词 gloss gloss`, simplified, then traditional forms,
 * single characters last. Strong (about .8), one way; the longest word that matches is taken first.
 */
export const GLOSSES_ZH = `
获取 get fetch
取得 get obtain
得到 get
拿到 get
读取 read
查看 view show
查询 query search
检索 search retrieve
搜索 search
搜寻 search
搜一下 search
查找 find search
查一下 search lookup
寻找 find
找到 find
列出 list
列举 list
列表 list
清单 list checklist
枚举 enumerate list
浏览 browse
显示 show display
展示 show display
呈现 show render
返回 return
创建 create
新建 create new
建立 create build
新增 add create
添加 add
增加 add increase
追加 append add
插入 insert
生成 generate create
产生 generate
制作 make create
构建 build
编译 compile
编写 write
撰写 write compose
写入 write
写作 writing
写一 write
删除 delete remove
移除 remove
清除 clear delete
清空 clear empty
清理 clean cleanup
销毁 destroy
注销 deregister logout
更新 update
修改 modify edit update
编辑 edit
更改 change
变更 change
更换 replace change
调整 adjust change
设置 set settings configure
设定 set configure
配置 configure configuration
重命名 rename
改名 rename
替换 replace
覆盖 overwrite
发送 send
发布 publish post
发表 publish post
发帖 post
分享 share
转发 forward repost
推送 push notification
通知 notification notify
提醒 remind reminder
回复 reply
评论 comment
留言 comment message
点赞 like
收藏 favorite bookmark
关注 follow
订阅 subscribe subscription
取消 cancel
撤销 undo revoke
恢复 restore recover
还原 restore
回滚 rollback
运行 run
执行 execute run
调用 call invoke
启动 start launch
开始 start begin
停止 stop
终止 terminate stop
结束 end finish
暂停 pause
继续 continue resume
重启 restart
重试 retry
触发 trigger
打开 open
关闭 close
启用 enable
禁用 disable
激活 activate
切换 switch toggle
转换 convert
转化 convert transform
转为 convert
转成 convert
变换 transform
换算 convert conversion
翻译 translate translation
导出 export
导入 import
渲染 render
绘制 draw plot
画图 draw chart
绘图 draw chart
绘画 drawing painting
画一 draw
可视化 visualization visualize
总结 summarize summary
摘要 summary abstract
概括 summarize
概述 overview summary
概览 overview
汇总 aggregate summary
下载 download
上传 upload
保存 save
存储 storage store
储存 store
缓存 cache
备份 backup
归档 archive
压缩 compress zip
解压 unzip extract
提取 extract
抽取 extract
抓取 scrape fetch crawl
爬取 crawl scrape
爬虫 crawler scraping
采集 collect scrape
解析 parse resolve
比较 compare
对比 compare
匹配 match
分析 analyze analysis
评估 evaluate assess
评价 review rating
评测 evaluation review
评分 score rating
打分 score rate
测评 review evaluation
检查 check inspect
检测 detect check
检验 verify test
验证 verify validate
校验 validate check
核实 verify
确认 confirm
审核 review audit approve
审批 approval approve
审计 audit
测试 test
调试 debug
诊断 diagnose
排查 troubleshoot
修复 fix repair
监控 monitor monitoring
监测 monitor
监视 monitor watch
跟踪 track trace
追踪 track trace
观察 observe
记录 record log
录制 record
录音 recording audio
计算 calculate compute
计算器 calculator
运算 calculation math
统计 statistics count
计数 count
求和 sum
估算 estimate
预测 predict forecast
预报 forecast
预估 estimate
预警 warning alert
告警 alert alarm
报警 alarm alert
警报 alert
预订 book reservation
预定 book reserve
预约 appointment booking
订购 order
下单 order
订单 order
购买 buy purchase
购物 shopping
购物车 shopping cart
买票 buy ticket
支付 payment pay
付款 payment
退款 refund
退票 refund ticket
充值 recharge
转账 transfer
提现 withdraw
出售 sell
销售 sales
交易 trade transaction
安装 install
卸载 uninstall
部署 deploy deployment
升级 upgrade
迁移 migrate
移动 move mobile
复制 copy
克隆 clone
粘贴 paste
合并 merge
拆分 split
分割 split segment
拼接 concatenate join
连接 connect connection
断开 disconnect
链接 link url
短链接 short url
短链 short url
关联 associate relation
绑定 bind
登录 login
登陆 login
登出 logout
退出 exit logout
注册 register
认证 authentication
授权 authorization authorize
鉴权 authentication
权限 permission
角色 role character
排序 sort
排列 sort arrange
排名 ranking rank
排行 ranking
排行榜 ranking leaderboard trending
筛选 filter
过滤 filter
选择 select choose
推荐 recommend recommendation
建议 suggestion advice
分类 category classify
归类 classify
标注 annotate label
标记 mark tag
标签 tag label
识别 recognize identify detection
定位 locate location
导航 navigation directions
规划 plan planning
路径规划 route planning directions
路线规划 route planning directions
计划 plan
安排 schedule arrange
日程 schedule calendar
日程安排 schedule calendar
日历 calendar
行程 itinerary trip
同步 sync
异步 async
刷新 refresh
加载 load
播放 play
收听 listen
观看 watch
截图 screenshot
截屏 screenshot
拍照 photo camera
点击 click
输入 input type
输出 output
填写 fill
滚动 scroll
拖拽 drag
等待 wait
提交 submit commit
推理 reasoning inference
思考 thinking
思维 thinking
学习 learn study
训练 train training
解释 explain
说明 description explanation
描述 description describe
定义 definition define
回答 answer
提问 ask question
问答 question answer
问题 question problem issue
答案 answer
聊天 chat
对话 conversation dialogue chat
会话 session conversation
加密 encrypt encryption
解密 decrypt
编码 encode encoding
解码 decode
哈希 hash
签名 signature sign
优化 optimize
改进 improve
改写 rewrite
润色 polish rewrite
校对 proofread
格式化 format
格式 format
美化 beautify
裁剪 crop
缩放 resize scale zoom
旋转 rotate
随机 random
抽奖 lottery draw
投票 vote poll
管理 manage management
操作 operation
处理 process
使用 use
支持 support
提供 provide
帮助 help
控制 control
模拟 simulate simulation
仿真 simulation
自动化 automation
自动 automatic
批量 batch bulk
分组 group
分页 pagination page
分享链接 share link
天气 weather
天气预报 weather forecast
气象 weather meteorological
气温 temperature
温度 temperature
湿度 humidity
降雨 rain precipitation
降水 precipitation
下雨 rain
下雪 snow
风力 wind
风速 wind speed
台风 typhoon
空气质量 air quality
污染 pollution
紫外线 ultraviolet uv
气候 climate
日出 sunrise
日落 sunset
地震 earthquake
灾害 disaster
洪水 flood
潮汐 tide
农历 lunar calendar
黄历 almanac lunar calendar
阴历 lunar calendar
节气 solar term
节日 festival holiday
节假日 holiday
假期 holiday vacation
假日 holiday
生肖 zodiac
星座 zodiac horoscope
运势 fortune horoscope
占卜 divination
塔罗 tarot
塔罗牌 tarot card
八字 bazi fortune
命理 fortune telling
算命 fortune telling
风水 feng shui
解梦 dream interpretation
周公解梦 dream interpretation
紫微斗数 astrology ziwei
火车 train
火车票 train ticket
列车 train
车次 train number
车票 ticket
余票 remaining ticket
高铁 high speed rail train
动车 train
铁路 railway
车站 station
火车站 train station
站点 station site
途经 via stops
经停 stop
中转 transfer
换乘 transfer
出发 departure
到达 arrival
到站 arrival
出发地 origin
目的地 destination
起点 origin start
终点 destination end
座位 seat
票价 ticket price fare
时刻表 timetable schedule
地铁 subway metro
公交 bus transit
公交车 bus
公共交通 public transit
交通 traffic transport
路况 traffic
拥堵 congestion traffic
出租车 taxi
打车 taxi ride
网约车 ride hailing
航班 flight
飞机 airplane flight
机票 flight ticket
机场 airport
航空 airline aviation
航线 route flight
轮船 ship
船舶 vessel ship
港口 port
汽车 car vehicle
车辆 vehicle
车型 car model
二手车 used car
电动车 electric vehicle
新能源 new energy electric
充电 charging
充电桩 charging station
加油站 gas station
油价 fuel price gasoline
停车 parking
停车场 parking lot
驾驶 driving
驾车 driving
开车 driving
步行 walking
骑行 cycling
自行车 bicycle
电动自行车 electric bike
物流 logistics shipping
快递 express delivery package tracking
包裹 package parcel
运单 waybill shipment
运费 shipping cost
配送 delivery
外卖 food delivery takeout
发货 shipping
地图 map
路线 route
路径 path route
距离 distance
坐标 coordinate
坐标系 coordinate system
经纬度 latitude longitude coordinate
经度 longitude
纬度 latitude
地址 address
位置 location position
地点 place location
地理 geography
地理编码 geocode
逆地理编码 reverse geocode
周边 nearby
附近 nearby
兴趣点 poi place
区域 region area
地区 region area
行政区 administrative district
行政区划 administrative district
省份 province
城市 city
县区 county district
街道 street
乡镇 town
国家 country
全国 nationwide
全球 global
世界 world
国际 international
中国 china chinese
美国 usa
日本 japan
香港 hong kong
台湾 taiwan
北京 beijing
上海 shanghai
邮编 postcode
邮政编码 postcode
海拔 elevation
区号 area code
归属地 location attribution
手机号 phone number
手机 mobile phone
电话 phone
号码 number
短信 sms message
旅游 travel tourism
旅行 travel
出行 travel trip
景点 attraction
景区 scenic spot attraction
门票 ticket
攻略 guide
游记 travel notes
酒店 hotel
宾馆 hotel
民宿 homestay accommodation
住宿 accommodation
房间 room
房型 room type
入住 checkin
签证 visa
护照 passport
餐厅 restaurant
餐馆 restaurant
饭店 restaurant
美食 food
菜谱 recipe
食谱 recipe
菜品 dish
做菜 cook recipe
烹饪 cooking
食材 ingredient
食物 food
食品 food
饮食 diet
菜单 menu
咖啡 coffee
营养 nutrition
热量 calorie
卡路里 calorie
减肥 weight loss diet
健康 health
医疗 medical
医院 hospital
医生 doctor
挂号 appointment hospital
药品 drug medicine
药物 drug medicine
中药 herbal medicine
中医 traditional chinese medicine
疾病 disease
症状 symptom
治疗 treatment
诊疗 diagnosis treatment
患者 patient
临床 clinical
临床试验 clinical trial
基因 gene
蛋白质 protein
蛋白 protein
细胞 cell
疫苗 vaccine
健身 fitness workout
运动 sports exercise
锻炼 exercise
跑步 running
睡眠 sleep
体重 weight
心理 psychology mental
情绪 emotion mood
情感 emotion sentiment
冥想 meditation
体育 sports
比赛 match game
赛事 event match
赛程 schedule fixture
比分 score
足球 football soccer
篮球 basketball
球队 team
球员 player
联赛 league
彩票 lottery
双色球 lottery
大乐透 lottery
象棋 chess
围棋 go
棋谱 chess
游戏 game
玩家 player
王者荣耀 game
原神 genshin game
热搜 trending hot search
热榜 trending hot list
热点 hot topic trending
热门 popular trending
热度 popularity
趋势 trend
话题 topic
微博 weibo
知乎 zhihu
抖音 douyin tiktok
快手 kuaishou
小红书 xiaohongshu rednote
哔哩哔哩 bilibili
贴吧 tieba forum
豆瓣 douban
头条 toutiao headline news
今日头条 toutiao news
百度 baidu
百度百科 baidu encyclopedia
百科 encyclopedia
维基百科 wikipedia
虎扑 hupu
掘金 juejin
少数派 sspai
澎湃 thepaper news
腾讯 tencent
阿里 alibaba
阿里云 alibaba cloud aliyun
腾讯云 tencent cloud
华为 huawei
华为云 huawei cloud
高德 amap gaode
高德地图 amap map
百度地图 baidu map
淘宝 taobao
天猫 tmall
京东 jd
拼多多 pinduoduo
美团 meituan
大众点评 dianping review
携程 ctrip travel
去哪儿 qunar travel
飞猪 fliggy travel
滴滴 didi
微信 wechat
公众号 wechat official account
微信公众号 wechat official account
企业微信 wecom
小程序 mini program
朋友圈 moments
钉钉 dingtalk
飞书 feishu lark
语雀 yuque
支付宝 alipay
网易云音乐 netease music
网易 netease
谷歌 google
必应 bing
苹果 apple
微软 microsoft
亚马逊 amazon
特斯拉 tesla
推特 twitter
脸书 facebook
油管 youtube
领英 linkedin
新闻 news
资讯 news information
快讯 news flash
快报 news flash
头版 headline
头条新闻 headline news
日报 daily news
早报 morning news
报道 report news
媒体 media
杂志 magazine
文章 article
博客 blog
帖子 post
论坛 forum
社区 community
社交 social
社交媒体 social media
粉丝 follower
博主 blogger creator
主播 streamer
直播 live stream
弹幕 danmaku comment
短视频 short video
视频 video
影片 video movie
电影 movie
票房 box office
影院 cinema
电视剧 tv series
电视 tv
剧集 series episode
综艺 variety show
动漫 anime
动画 animation anime
漫画 comic manga
番剧 anime
演员 actor
导演 director
明星 celebrity
音乐 music
歌曲 song
歌词 lyrics
歌手 singer artist
歌单 playlist
专辑 album
播客 podcast
电台 radio
音频 audio
声音 sound voice
语音 voice speech
语音合成 text to speech tts
语音识别 speech recognition
文字转语音 text to speech
转写 transcribe
字幕 subtitle caption
配音 voiceover
图片 image picture
图像 image
照片 photo
相片 photo
头像 avatar
壁纸 wallpaper
图标 icon
表情 emoji
表情包 meme sticker
海报 poster
封面 cover
背景 background
水印 watermark
素材 material asset
二维码 qr code
条形码 barcode
验证码 captcha verification code
文生图 text to image generation
图生图 image to
文生视频 text to video
图生视频 image to video
图像生成 image generation
图片生成 image generation
图像识别 image recognition
文字识别 ocr text recognition
人脸 face
人脸识别 face recognition
设计 design
原型 prototype
颜色 color
字体 font
样式 style
风格 style
布局 layout
主题 theme topic
模型 model
模板 template
文件 file
文件夹 folder
文件名 filename
目录 directory
文档 document
文本 text
文字 text
内容 content
正文 body text
全文 full text
段落 paragraph
标题 title heading
表格 table spreadsheet
工作表 worksheet sheet
工作簿 workbook
电子表格 spreadsheet
多维表格 bitable table
单元格 cell
幻灯片 slide presentation
演示文稿 presentation
演示 presentation demo
附件 attachment
合同 contract
发票 invoice
简历 resume
报告 report
报表 report
研报 research report
公告 announcement
公文 official document
笔记 note
便签 note
日记 diary
日志 log journal
备忘录 memo note
待办 todo
待办事项 todo task
任务 task
项目 project
需求 requirement
缺陷 bug defect
迭代 iteration sprint
里程碑 milestone
工单 ticket
工作项 work item
看板 board kanban dashboard
进度 progress
流程 process workflow
流程图 flowchart
工作流 workflow
审批流 approval workflow
会议 meeting
会议室 meeting room
会议纪要 meeting minutes
邮件 email mail
邮箱 mailbox email
消息 message
群聊 group chat
群组 group
频道 channel
机器人 robot bot
智能体 agent
助手 assistant
联系人 contact
通讯录 contacts address book
客户 customer client
用户 user
用户名 username
账号 account
账户 account
帐号 account
密码 password
密钥 key secret
令牌 token
凭证 credential
凭据 credential
证书 certificate
成员 member
团队 team
部门 department
员工 employee
组织 organization
公司 company
企业 company enterprise
企业信息 company information
工商 business registration
工商信息 business registration company
股东 shareholder
法人 legal representative
高管 executive
招聘 recruitment job
职位 job position
岗位 job position
工作 work job
求职 job search
面试 interview
薪资 salary
工资 salary
考勤 attendance
请假 leave
股票 stock
股价 stock price
个股 stock
股市 stock market
大盘 market index
指数 index
板块 sector
行业 industry sector
概念股 concept stock
涨停 limit up
跌停 limit down
涨跌 change
涨跌幅 price change percent
涨幅 gain
行情 quote market
实时行情 realtime quote
报价 quote
龙虎榜 stock billboard
资金流向 capital flow
资金 capital fund
北向资金 northbound capital
成交量 volume
成交额 turnover
市值 market cap
市盈率 pe ratio
换手率 turnover rate
财报 financial report earnings
财务 finance financial
财务报表 financial statement
资产负债表 balance sheet
利润表 income statement
现金流 cash flow
现金流量表 cash flow statement
分红 dividend
股息 dividend
基金 fund
净值 net value
持仓 holding position
债券 bond
期货 futures
期权 option
外汇 forex foreign exchange
汇率 exchange rate currency
货币 currency
人民币 rmb yuan
美元 usd dollar
黄金 gold
金价 gold price
白银 silver
原油 crude oil
金融 finance
财经 finance economy
经济 economy
宏观 macro economy
投资 investment
理财 wealth management finance
银行 bank
贷款 loan
房贷 mortgage
利率 interest rate
保险 insurance
税务 tax
个税 income tax
个人所得税 income tax
税率 tax rate
账单 bill
预算 budget
费用 cost expense
成本 cost
价格 price
比价 price comparison
优惠 discount
优惠券 coupon
折扣 discount
促销 promotion
红包 red packet
积分 points
会员 membership member
商品 product
产品 product
店铺 shop store
商店 store
商家 merchant
电商 ecommerce
库存 inventory stock
品牌 brand
供应商 supplier
采购 procurement purchase
招标 tender bidding
投标 bid
中标 bid winning
营销 marketing
广告 advertising ad
推广 promotion
关键词 keyword
关键字 keyword
线索 lead
商机 opportunity
竞品 competitor
加密货币 cryptocurrency
数字货币 digital currency crypto
虚拟货币 cryptocurrency
比特币 bitcoin
以太坊 ethereum
区块链 blockchain
区块 block
钱包 wallet
代币 token
合约 contract
智能合约 smart contract
链上 onchain
余额 balance
空投 airdrop
房产 real estate
房价 house price
房源 property listing
二手房 second hand house
租房 rent apartment
小区 residential community
楼盘 real estate property
装修 renovation decoration
家居 home
智能家居 smart home
设备 device
传感器 sensor
灯光 light
空调 air conditioner
开关 switch
摄像头 camera
打印机 printer
电脑 computer
能源 energy
电力 electricity
电费 electricity bill
太阳能 solar
碳排放 carbon emission
法律 law legal
法规 regulation law
法条 law article statute
律师 lawyer
法院 court
案例 case
判例 case law
裁判文书 court judgment
专利 patent
商标 trademark
知识产权 intellectual property
版权 copyright
政策 policy
政府 government
政务 government service
公安 police
身份证 identity card
实名 real name identity
备案 icp filing registration
教育 education
学校 school
大学 university
高校 university
高考 college entrance exam
录取 admission
分数线 admission score
专业 major professional
课程 course
课表 course schedule
教程 tutorial
教学 teaching
老师 teacher
教师 teacher
学生 student
考试 exam
试题 exam question
题目 question problem
题库 question bank
作业 homework job
成绩 score grade
论文 paper
学术 academic scholar
文献 literature paper
期刊 journal
引用 citation reference
参考 reference
作者 author
研究 research
科研 scientific research
科学 science
科技 technology
技术 technology
数学 math
公式 formula
方程 equation
物理 physics
化学 chemistry
化合物 compound
分子 molecule
生物 biology
天文 astronomy
历史 history
历史上的今天 today in history
文化 culture
诗词 poetry poem
古诗 ancient poem poetry
成语 idiom
成语接龙 idiom chain
对联 couplet
汉字 chinese character
拼音 pinyin
词典 dictionary
字典 dictionary
单词 word
词汇 vocabulary
语法 grammar
语言 language
英语 english
英文 english
中文 chinese
日语 japanese
多语言 multilingual
小说 novel
书籍 book
图书 book
图书馆 library
电子书 ebook
阅读 reading
故事 story
笑话 joke
段子 joke
谜语 riddle
名言 quote
名言警句 quote
一言 quote hitokoto
励志 motivational
佛经 buddhist scripture
圣经 bible
宠物 pet
动物 animal
植物 plant
花卉 flower
农业 agriculture
礼物 gift
婚礼 wedding
生日 birthday
起名 naming name
取名 naming name
姓名 name
名字 name
名称 name
家谱 family tree genealogy
性格 personality
数据 data
数据库 database
数据源 data source
数据集 dataset
数据表 table
数据分析 data analysis
数据可视化 data visualization
数据仓库 data warehouse
大数据 big data
建表 create table
表结构 table schema
结构 structure schema
字段 field column
记录行 row
主键 primary key
索引 index
视图 view
语句 statement
慢查询 slow query
实例 instance
集群 cluster
节点 node
容器 container
镜像 image mirror
仓库 repository warehouse
代码 code
代码库 repository codebase
代码仓库 repository
源码 source code
代码审查 code review
代码片段 code snippet
函数 function
变量 variable
参数 parameter
脚本 script
程序 program
编程 programming
开发 development
开发者 developer
框架 framework
组件 component
插件 plugin
依赖 dependency
版本 version
分支 branch
合并请求 merge request
拉取请求 pull request
提交记录 commit
提交历史 commit history
流水线 pipeline
构建任务 build job
接口 api interface
接口文档 api documentation
请求 request
响应 response
服务 service
服务器 server
云服务器 cloud server instance
云主机 cloud server instance
弹性云服务器 elastic cloud server instance
虚拟机 virtual machine
命令 command
命令行 command line
终端 terminal
进程 process
线程 thread
内存 memory
记忆 memory
长期记忆 long term memory
知识 knowledge
知识库 knowledge base
知识图谱 knowledge graph
图谱 graph
实体 entity
关系 relation relationship
向量 vector
向量检索 vector search
嵌入 embedding
语义 semantic
语义搜索 semantic search
相似 similar
相似度 similarity
磁盘 disk
硬盘 disk
云盘 cloud drive disk
网盘 cloud drive
快照 snapshot
对象存储 object storage bucket
存储桶 bucket
队列 queue
消息队列 message queue
主题订阅 topic subscription
订阅者 subscriber
负载均衡 load balancer
网络 network
网关 gateway
子网 subnet
防火墙 firewall
安全 security
安全组 security group
漏洞 vulnerability
攻击 attack
恶意 malicious
病毒 virus
威胁 threat
风险 risk
隐私 privacy
域名 domain
解析记录 dns record
网站 website
网页 web page
网址 url
浏览器 browser
标签页 tab
元素 element
按钮 button
表单 form
页面 page
窗口 window
屏幕 screen
键盘 keyboard
鼠标 mouse
互联网 internet
联网 internet online
联网搜索 web search
网络搜索 web search
全网 web internet
在线 online
离线 offline
性能 performance
指标 metric indicator
时序 time series
链路 trace
链路追踪 tracing
日志服务 log service
监控数据 monitoring metric
仪表盘 dashboard
仪表板 dashboard
用量 usage
配额 quota
计费 billing
资源 resource
资源组 resource group
环境 environment
环境变量 environment variable
人工智能 artificial intelligence ai
大模型 large language model llm
机器学习 machine learning
深度学习 deep learning
提示词 prompt
智能 intelligent smart
意图 intent
情感分析 sentiment analysis
分词 word segmentation
文本分析 text analysis
敏感词 sensitive word
图表 chart
柱状图 bar chart column
条形图 bar chart
折线图 line chart
饼图 pie chart
散点图 scatter chart
面积图 area chart
雷达图 radar chart
直方图 histogram
箱线图 boxplot
热力图 heatmap
漏斗图 funnel chart
桑基图 sankey chart
树图 treemap
矩形树图 treemap
词云 word cloud
词云图 word cloud
双轴图 dual axes chart
关系图 network graph
网络图 network graph
韦恩图 venn chart
水波图 liquid chart
小提琴图 violin chart
鱼骨图 fishbone diagram
组织架构图 organization chart
组织架构 organization structure
思维导图 mind map
脑图 mind map
甘特图 gantt chart
时序图 sequence diagram
架构图 architecture diagram
架构 architecture
行政区域图 district map
地图标点 pin map
路径图 path map
时间 time
当前时间 current time
时区 timezone
时间戳 timestamp
日期 date
今天 today
今日 today
明天 tomorrow
昨天 yesterday
每日 daily
每天 daily
实时 realtime live
最新 latest
当前 current
现在 now current
未来 future forecast
过去 past
星期 week weekday
工作日 workday
倒计时 countdown
定时 scheduled timer
定时任务 scheduled task cron
闹钟 alarm
单位 unit
长度 length
重量 weight
面积 area
体积 volume
速度 speed
数量 quantity number
数字 number
数值 value
平均 average
平均值 average mean
最大 maximum
最小 minimum
总数 total
百分比 percentage
概率 probability
信息 information
详情 detail
详细信息 detail information
基本信息 basic information
状态 status
类型 type
属性 attribute property
列名 column
结果 result
评论区 comment
热评 hot comment
示例 example
指南 guide
帮助文档 documentation help
手册 manual
规则 rule
策略 policy strategy
方案 plan solution
事件 event
活动 activity event
演出 show concert
演唱会 concert
展览 exhibition
博物馆 museum
艺术 art
人物 person people
个人 personal
资料 profile material
个人资料 profile
主页 homepage profile
作品 work post
好友 friend
私信 direct message
关注列表 following list
粉丝列表 follower list
搜索引擎 search engine
搜索结果 search result
下一步 next step
步骤 step
目标 goal target
习惯 habit
心情 mood
时尚 fashion
穿搭 outfit fashion
服装 clothing
美妆 beauty makeup
母婴 mother baby
儿童 children
家庭 family
军事 military
人口 population
统计数据 statistics
开放数据 open data
卫星 satellite
遥感 remote sensing
三维 3d
建模 modeling
剪辑 edit clip
剪映 capcut video editing
草稿 draft
草稿箱 draft
轨道 track
特效 effect
转场 transition
滤镜 filter
画布 canvas
图层 layer
字符 character
字符串 string
正则 regex
正则表达式 regular expression
时间线 timeline
地图服务 map service
出海 overseas
跨境 cross border
海关 customs
关税 tariff
进出口 import export trade
獲取 get fetch
讀取 read
查詢 query search
檢索 search retrieve
搜尋 search
尋找 find
顯示 show display
創建 create
刪除 delete remove
清單 list
列舉 list
編輯 edit
設定 set settings configure
發送 send
傳送 send
發布 publish
發佈 publish
轉發 forward
回覆 reply
評論 comment
執行 execute run
啟動 start
開始 start
結束 end
打開 open
開啟 open
關閉 close
啟用 enable
轉換 convert
換算 convert
翻譯 translate
匯出 export
匯入 import
導出 export
導入 import
繪製 draw plot
視覺化 visualization
總結 summarize summary
下載 download
上傳 upload
儲存 save store
備份 backup
壓縮 compress
擷取 extract capture
比較 compare
對比 compare
評估 evaluate
檢查 check
檢測 detect
驗證 verify validate
測試 test
監控 monitor
追蹤 track
記錄 record log
計算 calculate
統計 statistics
預測 predict forecast
預報 forecast
預訂 book reservation
預約 appointment booking
訂單 order
購買 buy purchase
購物 shopping
安裝 install
複製 copy
合併 merge
連接 connect
連結 link
登入 login
登錄 login
註冊 register
認證 authentication
授權 authorization
權限 permission
篩選 filter
選擇 select
推薦 recommend
建議 suggestion
分類 category classify
標籤 tag label
識別 recognize
導航 navigation
規劃 plan
計劃 plan
日曆 calendar
天氣 weather
天氣預報 weather forecast
氣象 weather
溫度 temperature
濕度 humidity
空氣品質 air quality
颱風 typhoon
農曆 lunar calendar
運勢 fortune horoscope
塔羅 tarot
火車 train
火車票 train ticket
車站 station
高鐵 high speed rail train
台鐵 taiwan railway train
捷運 metro subway
公車 bus
機票 flight ticket
機場 airport
飛機 airplane flight
時刻表 timetable
汽車 car
地圖 map
路線 route
距離 distance
座標 coordinate
國家 country
旅遊 travel
景點 attraction
飯店 hotel restaurant
餐廳 restaurant
食譜 recipe
醫療 medical
醫院 hospital
藥品 drug medicine
新聞 news
熱門 popular trending
熱搜 trending
電影 movie
音樂 music
歌詞 lyrics
語音 voice speech
圖片 image
圖像 image
圖表 chart
長條圖 bar chart
折線圖 line chart
圓餅圖 pie chart
流程圖 flowchart
心智圖 mind map
文字雲 word cloud
檔案 file
資料夾 folder
資料庫 database
資料 data
資訊 information
數據 data
試算表 spreadsheet
簡報 presentation
筆記 note
任務 task
專案 project
會議 meeting
郵件 email
訊息 message
聯絡人 contact
使用者 user
帳號 account
密碼 password
職缺 job
股價 stock price
台股 taiwan stock
匯率 exchange rate
貨幣 currency
加密貨幣 cryptocurrency
比特幣 bitcoin
區塊鏈 blockchain
錢包 wallet
餘額 balance
價格 price
優惠 discount
發票 invoice
統一發票 invoice lottery
專利 patent
學校 school
課程 course
論文 paper
學術 academic
詞典 dictionary
語言 language
書籍 book
程式 program
程式碼 code
函數 function
變數 variable
伺服器 server
網站 website
網頁 web page
瀏覽器 browser
網路 network internet
網域 domain
記憶 memory
知識庫 knowledge base
人工智慧 artificial intelligence ai
提示詞 prompt
時間 time
時區 timezone
即時 realtime
歷史 history
狀態 status
單位 unit
設備 device
裝置 device
房價 house price
開放資料 open data
查 query search
搜 search
找 find
删 delete
改 edit change
画 draw
写 write
读 read
看 view
听 listen
买 buy
卖 sell
订 book order
发 send
票 ticket
车 car vehicle
图 image chart
表 table
词 word
歌 song
书 book
药 medicine
菜 dish food
`;

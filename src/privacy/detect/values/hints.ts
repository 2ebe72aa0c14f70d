/** What a word near a value, or the key above it, says of it: one bit each. */
export const HINT = {
  email: 1,
  phone: 2,
  card: 4,
  ssn: 8,
  nationalId: 16,
  iban: 32,
  account: 64,
  passport: 128,
  licence: 256,
  ip: 512,
  mac: 1024,
  postal: 2048,
  birth: 4096,
  secret: 8192,
  password: 16384,
  /** A number of something else. */
  other: 32768,
} as const;

/** Two words stand for a pair, with or without a filler between them. */
const WORDS: { readonly [hint in keyof typeof HINT]: string } = {
  email:
    "email,emails,mail,e mail,mailto,correo,courriel,mél,posta elettronica,mailadresse,emailadresse,emailaddress,邮箱,電子メール,メール",
  phone:
    "phone,phones,telephone,tel,mobile,cell,cellphone,fax,whatsapp,dial,call,sms,landline,hotline,voicemail,msisdn,pager,phonenumber,mobilenumber,telno,telephone number,contact number,contact no,reach me,text me,telefon,telefonnummer,telefonnr,handy,handynummer,rufnummer,mobil,mobilnummer,festnetz,téléphone,téléphoner,téléphone portable,teléfono,telefono,móvil,movil,celular,cellulare,telefone,telemóvel,telefoon,telefoonnummer,mobiel,gsm,telefonszám,telefoni,puhelin,puhelinnumero,телефон,тел,电话,手机,手机号,電話,電話番号,携帯,전화,전화번호,هاتف,טלפון",
  card: "credit card,debit card,card number,card no,card num,creditcard,debitcard,cardnumber,ccnumber,cc number,cc num,visa,mastercard,amex,american express,discover card,card,cards,cc,diners,jcb,maestro,unionpay,kreditkarte,kreditkartennummer,carte bancaire,carte bleue,carte crédit,tarjeta,tarjeta crédito,carta credito,cartão,kreditkort,creditcardnummer,payment card,bank card,信用卡",
  ssn: "ssn,ssns,social security,socialsecurity,soc sec,ss number",
  nationalId:
    "national id,national identity,national identification,nationalid,identity card,identity number,id card,idcard,personal number,personal id,government id,tax id,taxid,tax number,tax identification,taxpayer,taxpayer id,tin,itin,nino,national insurance,ni number,sin,social insurance,aadhaar,aadhar,uidai,pan,pan card,pan number,permanent account,cpf,dni,nie,nif,codice fiscale,codicefiscale,steuer id,steueridentifikationsnummer,steuernummer,identifikationsnummer,idnr,steuerid,tfn,tax file,medicare,mbi,medicare id,numéro sécurité,sécurité sociale,nir,insee,pesel,nhs,nhs number,nric,fin,bsn,burgerservicenummer,personnummer,hetu,henkilötunnus,curp,ahv,avs,rijksregisternummer,身份证,身份证号,身份证号码,rg,cédula,cedula",
  iban: "iban,ibans",
  account:
    "bank account,account number,account no,account nr,account num,acct,acct number,bankaccount,accountnumber,checking account,savings account,konto,kontonummer,bankkonto,bankverbindung,compte bancaire,numéro compte,cuenta,cuenta bancaria,numero cuenta,conto corrente,conta bancária,conta corrente,rekeningnummer,routing,routing number,routingnumber,sort code,sortcode,aba,bsb,clabe",
  passport:
    "passport,passports,passportnumber,reisepass,passnummer,passeport,pasaporte,passaporto,passaporte,paspoort,паспорт,护照",
  licence:
    "driver license,drivers license,driver licence,drivers licence,driving license,driving licence,driverlicense,driverslicense,driver lic,license number,licence number,driver permit,driver id,dl number,dl no,dln,führerschein,führerscheinnummer,permis conduire,licencia conducir,patente guida,carta condução,rijbewijs",
  ip: "ip,ips,ipv,ipaddress,ip address,ipaddr,remote addr,client ip",
  mac: "mac,mac address,macaddress,hwaddr,ether,physical address,bssid,hardware address",
  postal:
    "zip,zipcode,zip code,postcode,postal,postal code,postalcode,post code,plz,postleitzahl,code postal,código postal,codigo postal,codice postale,cep,pincode,pin code,eircode,postnummer,postinumero,邮编,郵便番号",
  birth:
    "born,birth,birthday,birthdate,birthdays,dob,bday,date birth,dateofbirth,geboren,geburtsdatum,geburtstag,naissance,né,née,nacimiento,nacido,nacida,nascita,nato,nata,nascimento,nascido,nascida,geboortedatum,fødselsdato,födelsedatum,生日,出生日期",
  secret:
    "secret,secrets,token,tokens,apikey,apikeys,api key,api keys,apitoken,api token,api secret,secret key,secretkey,access key,accesskey,access token,accesstoken,auth token,authtoken,refresh token,bearer,authorization,client secret,clientsecret,encryption key,signing key,master key,account key,private key,privatekey,credential,credentials,webhook secret,license key,session key,shared key,subscription key,sharedaccesskey,accountkey,service key,apisecret,xapikey,cookie,session token,sessiontoken,personal token,amz signature,sas token,sig,sas",
  password:
    "password,passwords,passwd,pwd,pass,passphrase,passcode,pw,pin,passwort,kennwort,contraseña,contrasena,senha,mot passe,motdepasse,wachtwoord,lösenord,heslo,hasło,пароль,密码,パスワード,userpass,dbpass,dbpassword",
  other:
    "order,orders,invoice,ticket,tracking,version,versions,build,release,firmware,isbn,issn,sku,product,item,model,ref,reference,commit,price,amount,total,subtotal,cost,revenue,salary,uuid,guid,hash,sha,md,checksum,serial,timestamp,lat,latitude,lon,lng,longitude,coordinates,geo,case,transaction,txn,shipment,package,issue,revision,error,code,id,ids,count,quantity,qty,size,bytes,population,port,page,pages,chapter,section,article,year,epoch,duration,balance,score,barcode,ean,upc,gtin,asin,imei,imsi,iccid,meid,vin,etag,gid,cusip,isin,mpn,booking,reservation,confirmation,flight,batch,lot,type,url,uri,link,status,verified,policy,length,expires,expiry,changed at,updated at,created at,expires at,reset at,set at,page token,next token,nextpagetoken,continuation token,sync token,cursor,max tokens,total tokens,prompt tokens,completion tokens,input tokens,output tokens,token count,token usage,token type,public key,primary key,foreign key,sort key,partition key,object key,issue key,project key,account id,sum,percent,rate,number of,offset,index,width,height,pixels,px,views,likes,followers,hits,requests,ms,seconds,kernel,chrome,firefox,safari,npm,python,oid,rfc,i phone,smart phone,sim card,suite,apt,apartment,unit,room,floor,bestellnummer,rechnung,rechnungsnummer,artikelnummer,kundennummer,commande,facture,pedido,factura,ordine,fattura",
};

const LONGEST_FILLER = 5;
const FILLERS = "of,the,de,du,da,do,di,del,della,des,s,la,le,el,et,n,o";

export type Hint = { readonly start: number; readonly end: number; readonly bits: number };

/** ASCII's letters in lower case; 0 is no letter. */
const LOWER = new Uint8Array(128);
for (let code = 97; code <= 122; code++) LOWER[code] = LOWER[code - 32] = code;

const hashes = new Map<number, number>();
const fillers = new Set<number>();
/** A small first look, since most words are none of ours. */
const maybe = new Uint8Array(16384);
const MASK = maybe.length - 1;
for (const [name, words] of Object.entries(WORDS))
  for (const entry of words.split(",")) {
    const [first = "", second] = entry.split(" ").filter((word) => word !== "is");
    const hash = second === undefined ? hashOf(first) : pairOf(hashOf(first), hashOf(second));
    hashes.set(hash, HINT[name as keyof typeof HINT]);
    maybe[hash & MASK] = 1;
  }
for (const word of FILLERS.split(",")) fillers.add(hashOf(word));

const keys = new Map<string, number>();

/** What a key says: the last of its words that says anything. */
export function hintOfKey(key: string): number {
  const known = keys.get(key);
  if (known !== undefined) return known;
  const bits = key.length > 200 ? 0 : (lastHint(key, 0, key.length)?.bits ?? 0);
  if (keys.size >= 4_096) keys.clear();
  keys.set(key, bits);
  return bits;
}

/** All that the words of a text say, together. */
export function hintsIn(text: string): number {
  let bits = 0;
  for (let at = 0; ; ) {
    const next = nextHint(text, at, text.length);
    if (next === undefined) return bits;
    bits |= next.bits;
    at = next.end;
  }
}

export function lastHint(text: string, from: number, to: number): Hint | undefined {
  let last: Hint | undefined;
  for (let at = from; ; ) {
    const next = nextHint(text, at, to);
    if (next === undefined) return last;
    last = next;
    at = next.end;
  }
}

/** The next word from `from` that says something; a pair says it with its second word. */
export function nextHint(text: string, from: number, to: number): Hint | undefined {
  let previous = from === 0 ? 0 : previousHash(text, from);
  let at = from;
  while (at < to) {
    const start = at;
    let hash = 0;
    let isLower = false;
    for (; at < to; at++) {
      const code = text.charCodeAt(at);
      const lower = code < 128 ? (LOWER[code] ?? 0) : foreignLower(code);
      if (lower === 0) break;
      // An upper case letter after a lower case one starts a word: `apiKey`.
      if (lower === code) isLower = true;
      else if (isLower) break;
      hash = (Math.imul(hash, 31) + lower) | 0;
    }
    if (at === start) {
      at++;
      continue;
    }
    const pair = pairOf(previous, hash);
    if (maybe[pair & MASK] === 1 && previous !== 0) {
      const bits = hashes.get(pair);
      if (bits !== undefined) return { start, end: at, bits };
    }
    if (maybe[hash & MASK] === 1) {
      const bits = hashes.get(hash);
      if (bits !== undefined) return { start, end: at, bits };
    }
    if (at - start > LONGEST_FILLER || !fillers.has(hash)) previous = hash;
  }
  return undefined;
}

function previousHash(text: string, from: number): number {
  let end = from;
  while (end > 0 && from - end < 3 && !isLetter(text.charCodeAt(end - 1))) end--;
  let start = end;
  while (start > 0 && end - start < 24 && isLetter(text.charCodeAt(start - 1))) {
    const code = text.charCodeAt(start - 1);
    start--;
    if (code >= 65 && code <= 90 && start > 0 && text.charCodeAt(start - 1) > 90) break;
  }
  return start === end ? 0 : hashOf(text.slice(start, end));
}

function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = (Math.imul(hash, 31) + lowerCase(word.charCodeAt(at))) | 0;
  return hash;
}

function pairOf(first: number, second: number): number {
  return Math.imul(first, 1_000_003) ^ second;
}

function isLetter(code: number): boolean {
  return lowerCase(code) !== 0;
}

function lowerCase(code: number): number {
  return code < 128 ? (LOWER[code] ?? 0) : foreignLower(code);
}

/** A letter of another alphabet in lower case, or 0. */
function foreignLower(code: number): number {
  if (!(code >= 0xc0) || code === 0xd7 || code === 0xf7 || isSign(code)) return 0;
  return code <= 0xde || (code >= 0x410 && code <= 0x42f) ? code + 32 : code;
}

/** General punctuation, and the wide forms of it. */
function isSign(code: number): boolean {
  return (code >= 0x2000 && code <= 0x2bff) || (code >= 0x3000 && code <= 0x303f) || code >= 0xff00;
}

import { isDigit, isLatinLetter } from "./characters.ts";

const WORDS = new Set(
  (
    "string,str,text,varchar,char,number,integer,boolean,bool,bytes,any,null,nil,undefined,none,true,false,yes,no,n/a,na,optional,required,field," +
    "here,reset,changed,incorrect,invalid,wrong,empty,hidden,redacted,masked,removed,secret,password,passwd,token,value,must,should,not,and,the,your," +
    "example,changeme,placeholder,missing,expired,weak,strong,correct,protected,enabled,disabled,unknown,encrypted,hashed,default,object,type,input," +
    "pass,pwd,authentication,authorization,policy,manager,grant,bearer,basic,oauth,oauth2,apikey,header,cookie,query,path"
  ).split(","),
);

/** What stands where a secret would, and is none: `********`, `<password>`, `${PASSWORD}`, `[PASSWORD_1]`, `process.env.KEY`. */
export function isPlaceholder(text: string): boolean {
  const value = text.trim();
  if (value === "" || WORDS.has(value.toLowerCase()) || isPath(value)) return true;
  if (/^[<[{(%$].*[>\]})%]$|^\$[\w{(]|^\{\{|^%[A-Z_]+%$/.test(value)) return true;
  if (/^(.)\1+$/.test(value) || /^[*•●.xX·-]+$/.test(value)) return true;
  return /^(?:process\.env|os\.environ|env\.|ENV\[|secrets\.|vars\.|config\.|settings\.|self\.|this\.|args\.|opts\.|options\.|getenv|your[-_ ])/i.test(
    value,
  );
}

/** `PWD` is a folder, too. */
export function isPath(value: string): boolean {
  return /^(?:~|\.{1,2})?(?:\/[\w.@+-]{1,100}){2,40}\/?$|^[A-Za-z]:\\[\w.@+\\ -]{1,500}$/.test(value);
}

const LEAST_RANDOM = 12;

/** Letters and digits, as no word or name has them: at least 2.8 bits a character, and changes from one kind to the other. */
export function looksRandom(value: string): boolean {
  const { length } = value;
  if (length < LEAST_RANDOM || length > 4_096) return false;
  let digits = 0;
  let letters = 0;
  let spaces = 0;
  let changes = 0;
  let last = 0;
  const counts = new Map<number, number>();
  for (let at = 0; at < length; at++) {
    const code = value.charCodeAt(at);
    const kind = isDigit(code) ? 1 : isLatinLetter(code) ? (code <= 90 ? 2 : 3) : 4;
    if (kind === 1) digits++;
    else if (kind !== 4) letters++;
    else if (code <= 32) spaces++;
    if (kind !== last && last !== 0) changes++;
    last = kind;
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  if (spaces > 0 || letters === 0 || digits === 0) return false;
  if (/^\d{4}-\d\d-\d\d|^https?:|^\/|^\d+[a-z]{1,3}$/i.test(value)) return false;
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits >= 2.8 && changes >= Math.min(5, length / 5);
}

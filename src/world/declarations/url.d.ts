declare module "url" {
  namespace url {
    const URL: typeof globalThis.URL;
    type URL = globalThis.URL;
    const URLSearchParams: typeof globalThis.URLSearchParams;
    type URLSearchParams = globalThis.URLSearchParams;
    type UrlWithParsedQuery = any;
    type UrlWithStringQuery = any;
    const Url: any;
    function parse(text: string, parseQuery?: boolean, slashesDenoteHost?: boolean): any;
    function format(url: any, options?: any): string;
    function resolve(from: string, to: string): string;
    function fileURLToPath(url: string | globalThis.URL, options?: any): string;
    function pathToFileURL(path: string, options?: any): globalThis.URL;
    function domainToASCII(domain: string): string;
    function domainToUnicode(domain: string): string;
    function urlToHttpOptions(url: globalThis.URL): any;
  }
  export = url;
}

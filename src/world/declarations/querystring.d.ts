declare module "querystring" {
  namespace querystring {
    type ParsedUrlQuery = { [name: string]: any };
    function parse(text: string, separator?: string, equals?: string, options?: any): ParsedUrlQuery;
    function decode(text: string, separator?: string, equals?: string, options?: any): ParsedUrlQuery;
    function stringify(values?: any, separator?: string, equals?: string, options?: any): string;
    function encode(values?: any, separator?: string, equals?: string, options?: any): string;
    function escape(text: string): string;
    function unescape(text: string): string;
  }
  export = querystring;
}

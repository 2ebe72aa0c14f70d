declare module "string_decoder" {
  namespace string_decoder {
    class StringDecoder {
      constructor(encoding?: string);
      write(bytes: any): string;
      end(bytes?: any): string;
      readonly encoding: string;
    }
  }
  export = string_decoder;
}

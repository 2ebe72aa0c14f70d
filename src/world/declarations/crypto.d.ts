declare module "crypto" {
  namespace crypto {
    interface Hash {
      update(data: any, encoding?: string): this;
      digest(): Buffer;
      digest(encoding: string): string;
      copy(options?: any): Hash;
      [key: string]: any;
    }
    interface Hmac {
      update(data: any, encoding?: string): this;
      digest(): Buffer;
      digest(encoding: string): string;
      [key: string]: any;
    }
    const Hash: any;
    const Hmac: any;
    const KeyObject: any;
    const Sign: any;
    const Verify: any;
    const Cipheriv: any;
    const Decipheriv: any;
    const constants: any;
    const webcrypto: any;
    const subtle: any;
    function createHash(algorithm: string, options?: any): Hash;
    function createHmac(algorithm: string, key: any, options?: any): Hmac;
    function createSecretKey(key: any, encoding?: string): any;
    function createPublicKey(key: any): any;
    function createPrivateKey(key: any): any;
    function createSign(algorithm: string, options?: any): any;
    function createVerify(algorithm: string, options?: any): any;
    function createCipheriv(algorithm: string, key: any, iv: any, options?: any): any;
    function createDecipheriv(algorithm: string, key: any, iv: any, options?: any): any;
    function generateKeyPair(type: string, options: any, callback: any): void;
    function generateKeyPairSync(type: string, options?: any): any;
    function generateKey(type: string, options: any, callback: any): void;
    function generateKeySync(type: string, options: any): any;
    function getCiphers(): string[];
    function getCurves(): string[];
    function getHashes(): string[];
    function getRandomValues<T>(array: T): T;
    function hash(algorithm: string, data: any, options?: any): any;
    function hkdf(digest: string, key: any, salt: any, info: any, length: number, callback: any): void;
    function hkdfSync(digest: string, key: any, salt: any, info: any, length: number): ArrayBuffer;
    function pbkdf2(
      password: any,
      salt: any,
      iterations: number,
      length: number,
      digest: string,
      callback: any,
    ): void;
    function pbkdf2Sync(password: any, salt: any, iterations: number, length: number, digest: string): Buffer;
    function privateDecrypt(key: any, data: any): Buffer;
    function privateEncrypt(key: any, data: any): Buffer;
    function publicDecrypt(key: any, data: any): Buffer;
    function publicEncrypt(key: any, data: any): Buffer;
    function randomBytes(size: number, callback?: any): Buffer;
    function randomFill(target: any, ...rest: any[]): void;
    function randomFillSync(target: any, ...rest: any[]): any;
    function randomInt(min: number, ...rest: any[]): number;
    function randomUUID(options?: any): string;
    function scrypt(password: any, salt: any, length: number, ...rest: any[]): void;
    function scryptSync(password: any, salt: any, length: number, options?: any): Buffer;
    function sign(algorithm: any, data: any, key: any, callback?: any): Buffer;
    function timingSafeEqual(left: any, right: any): boolean;
    function verify(algorithm: any, data: any, key: any, signature: any, callback?: any): boolean;
  }
  export = crypto;
}

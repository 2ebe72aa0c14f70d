// Made from src/world/declarations by "npm run world". Change those instead.

export const MODULES = {
  assert: "Assert AssertionError CallTracker deepEqual deepStrictEqual doesNotMatch doesNotReject doesNotThrow equal fail ifError match notDeepEqual notDeepStrictEqual notEqual notStrictEqual ok partialDeepStrictEqual rejects strict strictEqual throws",
  "assert/strict": "Assert AssertionError CallTracker deepEqual deepStrictEqual doesNotMatch doesNotReject doesNotThrow equal fail ifError match notDeepEqual notDeepStrictEqual notEqual notStrictEqual ok partialDeepStrictEqual rejects strict strictEqual throws",
  crypto: "Cipheriv Decipheriv Hash Hmac KeyObject Sign Verify constants createCipheriv createDecipheriv createHash createHmac createPrivateKey createPublicKey createSecretKey createSign createVerify generateKey generateKeyPair generateKeyPairSync generateKeySync getCiphers getCurves getHashes getRandomValues hash hkdf hkdfSync pbkdf2 pbkdf2Sync privateDecrypt privateEncrypt publicDecrypt publicEncrypt randomBytes randomFill randomFillSync randomInt randomUUID scrypt scryptSync sign subtle timingSafeEqual verify webcrypto",
  events: "EventEmitter addAbortListener captureRejectionSymbol captureRejections defaultMaxListeners errorMonitor getEventListeners getMaxListeners init kMaxEventTargetListeners kMaxEventTargetListenersWarned listenerCount on once setMaxListeners usingDomains",
  querystring: "decode encode escape parse stringify unescape",
  readline: "Interface clearLine clearScreenDown createInterface cursorTo moveCursor promises",
  "readline/promises": "Interface Readline createInterface",
  stream: "Duplex PassThrough Readable Stream Transform Writable _isArrayBufferView _isUint8Array _uint8ArrayToBuffer addAbortSignal compose destroy duplexPair finished getDefaultHighWaterMark isDestroyed isDisturbed isErrored isReadable isWritable pipeline promises setDefaultHighWaterMark",
  "stream/consumers": "arrayBuffer blob buffer json text",
  "stream/promises": "finished pipeline",
  "stream/web": "ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy DecompressionStream ReadableByteStreamController ReadableStream ReadableStreamBYOBReader ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader TextDecoderStream TextEncoderStream TransformStream TransformStreamDefaultController WritableStream WritableStreamDefaultController WritableStreamDefaultWriter",
  string_decoder: "StringDecoder",
  url: "URL URLSearchParams Url domainToASCII domainToUnicode fileURLToPath format parse pathToFileURL resolve urlToHttpOptions",
  util: "MIMEParams MIMEType TextDecoder TextEncoder aborted callbackify debug debuglog deprecate format formatWithOptions inherits inspect isArray isDeepStrictEqual parseArgs parseEnv promisify stripVTControlCharacters styleText toUSVString types",
  "util/types": "isAnyArrayBuffer isArgumentsObject isArrayBuffer isArrayBufferView isAsyncFunction isBigInt64Array isBigUint64Array isBooleanObject isBoxedPrimitive isDataView isDate isFloat32Array isFloat64Array isGeneratorFunction isGeneratorObject isInt16Array isInt32Array isInt8Array isMap isMapIterator isModuleNamespaceObject isNativeError isNumberObject isPromise isProxy isRegExp isSet isSetIterator isSharedArrayBuffer isStringObject isSymbolObject isTypedArray isUint16Array isUint32Array isUint8Array isUint8ClampedArray isWeakMap isWeakSet",
  zlib: "BrotliCompress BrotliDecompress Deflate DeflateRaw Gunzip Gzip Inflate InflateRaw Unzip brotliCompress brotliCompressSync brotliDecompress brotliDecompressSync codes constants crc32 createBrotliCompress createBrotliDecompress createDeflate createDeflateRaw createGunzip createGzip createInflate createInflateRaw createUnzip deflate deflateRaw deflateRawSync deflateSync gunzip gunzipSync gzip gzipSync inflate inflateRaw inflateRawSync inflateSync unzip unzipSync",
};

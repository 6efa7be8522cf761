import zlib from 'node:zlib'

const { BROTLI_OPERATION_FLUSH, BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, Z_SYNC_FLUSH } = zlib.constants
// Costs about as much as gzip and saves more. The small window limits the memory of a stream.
const brotli = { params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 18 } }

type Encoder = zlib.BrotliCompress | zlib.Gzip

/** A way to compress a response. */
export interface Coding {
  /** Value of the header `Content-Encoding`. */
  name: string
  whole(body: Buffer, done: zlib.CompressCallback): void
  stream(): Encoder
  /** Makes a stream send everything that was written to it. */
  flush(stream: Encoder): void
}

const br: Coding = {
  name: 'br',
  whole: (body, done) => zlib.brotliCompress(body, brotli, done),
  stream: () => zlib.createBrotliCompress(brotli),
  flush: stream => stream.flush(BROTLI_OPERATION_FLUSH),
}

const gzip: Coding = {
  name: 'gzip',
  whole: (body, done) => zlib.gzip(body, done),
  stream: () => zlib.createGzip(),
  flush: stream => stream.flush(Z_SYNC_FLUSH),
}

/** Returns the coding for a client that sent this `Accept-Encoding`; undefined if it accepts none of ours. */
export function acceptedCoding(header: string | string[] = ''): Coding | undefined {
  const accepted = String(header)
    .toLowerCase()
    .split(',')
    .map(part => part.replace(/\s/g, ''))
    .filter(part => !/;q=0(?:\.0*)?$/.test(part))
    .map(part => part.split(';', 1)[0])
  return [br, gzip].find(({ name }) => accepted.includes(name))
}

import type { Readable } from 'node:stream'

/** The length and the SHA-256 of a stored object, computed while it was written. */
export interface StoredObject {
  size: number
  sha256: Buffer
}

/** The first and last byte of a range, inclusive. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Storage for data that is too large for the database: a directory, a bucket, or a container. Keys are 32 hex digits
 * (`newObjectKey`). An object becomes visible under its key only when all of it is durable. The storage does not know
 * what objects are used for.
 */
export interface ObjectStorage {
  /**
   * Makes a directory that is not there yet, and verifies that objects can be stored. If a bucket is unreachable, that is only
   * logged. Nothing else writes anything that is not asked for.
   * @throws {ConfigError} if objects cannot be stored.
   */
  prepare(): Promise<void>
  /**
   * Writes an object with back-pressure. Chunks are not copied, so the source must not modify them. The source is
   * closed as by `for await`.
   * @throws {DomainError} tooLarge, with the given message, as soon as more than `limitBytes` arrive; unavailable if
   * the storage is full or unreachable. If it fails or is aborted, nothing is left.
   */
  put(key: string, source: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<StoredObject>
  /**
   * Opens an object, or a range of it, as a stream with back-pressure. The caller must read or destroy the stream.
   * @throws {DomainError} notFound.
   */
  get(key: string, range?: ByteRange): Promise<Readable>
  /** Deletes an object and its parts, if there are any. */
  delete(key: string): Promise<void>
  /** The length in bytes; undefined if the object does not exist. */
  size(key: string): Promise<number | undefined>
  /**
   * Writes one part of an object that is uploaded in several requests and returns its size. Numbers start at 0; writing
   * a part again replaces it. With `keepPartial`, a source that fails or is aborted leaves the bytes received so far as
   * the part.
   * @throws {DomainError} as `put`.
   */
  putPart(
    key: string,
    part: number,
    source: AsyncIterable<Uint8Array>,
    options?: PutPartOptions,
  ): Promise<number>
  /** Starts a SHA-256 of parts of an object that is not composed yet. Absent if the storage cannot read parts. */
  hashParts?(key: string): PartHash
  /**
   * Composes parts into one object, in this order, without moving bytes if the storage allows it. A part can be used
   * repeatedly; unused parts are deleted. Does nothing if that is already done.
   * @throws {DomainError} notFound if a part is missing; tooLarge if there are more parts than the storage can compose.
   */
  compose(key: string, parts: readonly Part[]): Promise<void>
  /** A signed URL that serves the object to anyone who has it; undefined if the storage supports none. */
  signedUrl(key: string, answer: SignedAnswer): Promise<string | undefined>
  /**
   * A signed URL to which anyone who has it can upload the object with the Azure block protocol; undefined if the
   * storage supports none.
   */
  signedUploadUrl(key: string, expiresInSeconds: number): Promise<string | undefined>
  /**
   * Copies an object without moving bytes through this process. Absent if the storage signs no upload URLs.
   * @throws {DomainError} notFound; conflict if the object is replaced meanwhile.
   */
  copy?(from: string, to: string): Promise<void>
}

/** A part of an object. */
export interface Part {
  part: number
  /** Required if the part was put with `isNew`. */
  size?: number | undefined
}

/** The SHA-256 of parts, one after another. */
export interface PartHash {
  /**
   * Adds the bytes of parts. Must not be called again before it resolves.
   * @throws {DomainError} notFound; then the hash is of no use anymore.
   */
  add(parts: readonly number[]): Promise<void>
  /** A hash that continues from here on its own. */
  copy(): PartHash
  /** Must be the last call but `release`. */
  digest(): Promise<Buffer>
  /** Must be called once for each hash. */
  release(): void
}

export interface PutOptions {
  limitBytes?: number | undefined
  /** The expected length of the whole object, if known. Larger objects are sent in larger pieces. */
  expectedBytes?: number | undefined
  /** The error message; by default it names the limit. */
  tooLargeMessage?: string | undefined
  signal?: AbortSignal | undefined
}

export interface PutPartOptions extends PutOptions {
  keepPartial?: boolean | undefined
  /**
   * The number was never used before for this object, and the part may become durable as late as the object is
   * composed. Saves time and requests.
   */
  isNew?: boolean | undefined
}

/** The response headers of a signed URL, and how long it is valid. */
export interface SignedAnswer {
  contentType: string
  contentDisposition: string
  expiresInSeconds: number
}

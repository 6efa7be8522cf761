import { pipeline, Readable, Transform } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { unprocessable } from '@/server/kernel/errors'
import { localHeaderBytes, type ZipMember } from './directory'
import { readRange, type ZipSource } from './source'

const deflated = 8
// The best compression ratio that deflate can reach is 1032 to 1.
const maxRatio = 1032

/**
 * Opens a file of an archive as a stream with backpressure, reading no other part of the archive. The stream
 * fails if the size or the CRC is wrong. The caller must read or destroy it.
 * @throws {DomainError} unprocessable if the file is encrypted, damaged, or compressed with an unknown
 * method.
 */
export async function openMember(source: ZipSource, member: ZipMember): Promise<Readable> {
  requireReadable(member)
  const start = await dataStart(source, member)
  const { compressedSize, method } = member
  const raw =
    compressedSize === 0 ? Readable.from([]) : await source.open({ start, end: start + compressedSize - 1 })
  const checked = checking(member)
  const done = () => {}
  if (method === deflated && compressedSize > 0) pipeline(raw, createInflateRaw(), checked, done)
  else pipeline(raw, checked, done)
  return checked
}

function requireReadable({ isEncrypted, method, size, compressedSize }: ZipMember): void {
  if (isEncrypted) throw unprocessable('This file is encrypted. Download the archive to open it.')
  if (method !== 0 && method !== deflated) {
    throw unprocessable(
      'This file is compressed with a method that cannot be read here. Download the archive instead.',
    )
  }
  if (method === 0 ? size !== compressedSize : size > compressedSize * maxRatio) throw damaged()
}

/** Converts the error of a stream from `openMember` to an explanation if the archive is at fault. */
export const explainDamage = (error: unknown): unknown =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_') ? damaged() : error

const damaged = () =>
  unprocessable('This file is damaged: it does not match the size or checksum in the archive.')

async function dataStart(source: ZipSource, { offset, compressedSize }: ZipMember): Promise<number> {
  if (offset + localHeaderBytes > source.size) throw damaged()
  const header = await readRange(source, { start: offset, end: offset + localHeaderBytes - 1 })
  if (header.readUInt32LE(0) !== 0x04034b50) throw damaged()
  const start = offset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28)
  if (start + compressedSize > source.size) throw damaged()
  return start
}

// The last chunk is held back until the checks pass; otherwise a client would already have received the full
// length.
function checking(member: ZipMember): Transform {
  let [size, sum] = [0, 0]
  let held: Buffer | undefined
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length
      sum = crc32(chunk, sum)
      const ready = held
      held = chunk
      if (size > member.size) done(damaged())
      else done(null, ready)
    },
    flush(done) {
      if (size === member.size && sum === member.crc32) done(null, held)
      else done(damaged())
    },
  })
}

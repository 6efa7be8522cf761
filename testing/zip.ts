import { Readable } from 'node:stream'
import { crc32, deflateRawSync } from 'node:zlib'
import type { ZipSource } from '@/server/artifacts/zip/source'

/** An entry of a zip archive. Tests can set every number that an archive can get wrong. */
interface Sent {
  name: string | Buffer
  bytes?: Buffer | string
  deflated?: boolean
  flags?: number
  method?: number
  size?: number
  compressedSize?: number
  crc?: number
  offset?: number
  /** The Unix permissions of the file. */
  mode?: number
  modifiedAt?: Date
  extra?: Buffer
}

/** Builds a zip archive, which can be inconsistent or invalid if entries override numbers. */
export function packZip(
  entries: readonly Sent[],
  options: { count?: number; comment?: string } = {},
): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let position = 0
  for (const sent of entries) {
    const { name, header, data } = packed(sent)
    const at = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, name, data])
    local.push(at)
    const extra = sent.extra ?? Buffer.alloc(0)
    const end = Buffer.alloc(14)
    end.writeUInt32LE(((sent.mode ?? 0o644) << 16) >>> 0, 6)
    end.writeUInt32LE(sent.offset ?? position, 10)
    header.writeUInt16LE(extra.length, 24)
    // Declares that the archive was created on Unix, so that its entries have Unix permissions.
    central.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), header, end, name, extra)
    position += at.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  const count = options.count ?? entries.length
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(position, 16)
  const comment = Buffer.from(options.comment ?? '')
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...local, directory, end, comment])
}

function packed(sent: Sent): { name: Buffer; header: Buffer; data: Buffer } {
  const bytes = Buffer.from(sent.bytes ?? '')
  const data = sent.deflated ? deflateRawSync(bytes) : bytes
  const name = Buffer.from(sent.name)
  const modifiedAt = sent.modifiedAt ?? new Date('2026-11-22T10:00:00Z')
  const header = Buffer.alloc(26)
  header.writeUInt16LE(20, 0)
  // Flag 0x800 declares that the name is UTF-8.
  header.writeUInt16LE(0x800 | (sent.flags ?? 0), 2)
  header.writeUInt16LE(sent.method ?? (sent.deflated ? 8 : 0), 4)
  header.writeUInt16LE((modifiedAt.getUTCHours() << 11) | (modifiedAt.getUTCMinutes() << 5), 6)
  header.writeUInt16LE(
    ((modifiedAt.getUTCFullYear() - 1980) << 9) |
      ((modifiedAt.getUTCMonth() + 1) << 5) |
      modifiedAt.getUTCDate(),
    8,
  )
  header.writeUInt32LE(sent.crc ?? crc32(bytes), 10)
  header.writeUInt32LE(sent.compressedSize ?? data.length, 14)
  header.writeUInt32LE(sent.size ?? bytes.length, 18)
  header.writeUInt16LE(name.length, 22)
  return { name, header, data }
}

/** Returns an in-memory archive that records which ranges are read. */
export function zipInMemory(bytes: Buffer): ZipSource & { ranges: { start: number; end: number }[] } {
  const ranges: { start: number; end: number }[] = []
  return {
    size: bytes.length,
    ranges,
    open: async ({ start, end }) => {
      ranges.push({ start, end })
      return Readable.from([bytes.subarray(start, end + 1)])
    },
  }
}

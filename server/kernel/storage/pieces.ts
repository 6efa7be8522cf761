import { tooLarge } from '../errors'
import type { Meter } from './meter'

const mib = 1024 * 1024

/** How an upload is split: the size of each piece in bytes, and the maximum number of pieces. */
export interface Cut {
  pieceBytes: number
  /** Maximum number of pieces. */
  mostPieces: number
}

/**
 * Returns the piece size in bytes, 8 to 64 MiB, for an object of this length with at most `pieces` pieces. All
 * pieces have the same size, which some servers require. An upload keeps three pieces in memory.
 */
export function pieceBytesFor(expectedBytes: number, pieces: number): number {
  const fitting = Math.ceil(expectedBytes / pieces / mib) * mib
  return Math.min(Math.max(fitting, 8 * mib), 64 * mib)
}

// Two pieces are in flight while the next one is filled.
const mostOnTheWay = 2

/**
 * Uploads the counted bytes of a stream in pieces of `pieceBytes` and returns the number of pieces. The last
 * piece may be shorter but is never empty. On failure, all pieces in flight are aborted and settled before
 * the promise rejects.
 * @throws {DomainError} tooLarge if there are too many pieces
 */
export async function sendInPieces(
  { blocks }: Meter,
  { pieceBytes, mostPieces }: Cut,
  send: (piece: Buffer, number: number, signal: AbortSignal) => Promise<unknown>,
): Promise<number> {
  const giveUp = new AbortController()
  const onTheWay = new Set<Promise<unknown>>()
  let count = 0
  const begin = async (piece: Buffer) => {
    if (onTheWay.size >= mostOnTheWay) await Promise.race(onTheWay)
    if (count === mostPieces) throw tooLarge('the file is too large for the storage')
    const sending = send(piece, count++, giveUp.signal)
    onTheWay.add(sending)
    // A failed piece remains in the set, so that the next wait rejects with its error.
    sending.then(() => onTheWay.delete(sending)).catch(() => undefined)
  }
  try {
    for await (const piece of piecesOf(blocks, pieceBytes)) await begin(piece)
    await Promise.all(onTheWay)
  } catch (error) {
    giveUp.abort()
    await Promise.allSettled(onTheWay)
    throw error
  }
  return count
}

async function* piecesOf(blocks: AsyncIterable<Uint8Array[]>, pieceBytes: number): AsyncGenerator<Buffer> {
  let piece = Buffer.alloc(0)
  let filled = 0
  for await (const block of blocks) {
    for (const chunk of block) {
      for (let offset = 0; offset < chunk.byteLength; ) {
        if (piece.length === 0) piece = Buffer.allocUnsafeSlow(pieceBytes)
        const count = Math.min(pieceBytes - filled, chunk.byteLength - offset)
        piece.set(chunk.subarray(offset, offset + count), filled)
        offset += count
        filled += count
        if (filled < pieceBytes) continue
        yield piece
        piece = Buffer.alloc(0)
        filled = 0
      }
    }
  }
  if (filled > 0) yield piece.subarray(0, filled)
}

import { counted } from '@/app/_lib/format'
import type { Upload, UploadState } from './upload'

/**
 * Describes the state of all uploads for screen readers. Progress is rounded to quarters, so that it is
 * announced less often.
 */
export function summaryOf(uploads: readonly Upload[], hasRelease: boolean): string {
  const going = uploads.filter(({ state }) => state === 'sending' || (hasRelease && state === 'waiting'))
  const count = (state: UploadState): number => uploads.filter(upload => upload.state === state).length
  const facts: [count: number, one: string, many: string][] = [
    [count('asking'), 'needs a decision', 'need a decision'],
    [hasRelease ? 0 : count('waiting'), 'is waiting for a tag', 'are waiting for a tag'],
    [going.length, `is uploading, ${quartersOf(going)}`, `are uploading, ${quartersOf(going)}`],
    [count('away'), 'is waiting to reconnect', 'are waiting to reconnect'],
    [count('paused'), 'is paused', 'are paused'],
  ]
  return facts
    .filter(([files]) => files > 0)
    .map(([files, one, many]) => `${counted(files, 'file', 'files')} ${files === 1 ? one : many}.`)
    .join(' ')
}

function quartersOf(uploads: readonly Upload[]): string {
  const sent = uploads.reduce((sum, upload) => sum + upload.sent, 0)
  const size = uploads.reduce((sum, upload) => sum + upload.size, 0)
  return `${Math.floor((4 * sent) / Math.max(size, 1)) * 25} percent done`
}

import { counted } from '@/app/_lib/format'
import type { Upload, UploadState } from './upload'

/** How it stands with the files, for people who hear the page: said in steps, so that they can do something else meanwhile. */
export function summaryOf(uploads: readonly Upload[], hasRelease: boolean): string {
  const going = uploads.filter(({ state }) => state === 'sending' || (hasRelease && state === 'waiting'))
  const count = (state: UploadState): number => uploads.filter(upload => upload.state === state).length
  const facts: [count: number, one: string, many: string][] = [
    [count('asking'), 'needs an answer', 'need an answer'],
    [hasRelease ? 0 : count('waiting'), 'waits for a tag', 'wait for a tag'],
    [going.length, `is on the way, ${quartersOf(going)}`, `are on the way, ${quartersOf(going)}`],
    [count('away'), 'waits for the site', 'wait for the site'],
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
  return `${Math.floor((4 * sent) / Math.max(size, 1)) * 25} percent sent`
}

import mime from 'mime-types'
import { previewType } from '@/server/kernel/http/inline-type'
import type { FileKind } from './schema'

const anything = 'application/octet-stream'
// Files ending in `.ts` are TypeScript far more often than video.
const ownTypes: Readonly<Record<string, string>> = {
  ts: 'text/typescript',
  log: 'text/plain',
  jsonl: 'text/plain',
}

/** Returns how pages can show a file. The name decides if the content type says nothing. */
export function fileKindOf(contentType: string, name: string): FileKind {
  const [essence = ''] = contentType.toLowerCase().split(/[ ;]/)
  const type = essence === '' || essence === anything ? typeOfName(name) : essence
  if (/^application\/(x-)?zip(-compressed)?$/.test(type)) return 'zip'
  if (type === 'image/svg+xml') return 'svg'
  if (/\/x?html(\+xml)?$/.test(type)) return 'html'
  const served = previewType(type)
  if (served === undefined) return 'none'
  if (served.startsWith('text/plain')) return 'text'
  if (served.startsWith('image/')) return 'image'
  if (served.startsWith('audio/')) return 'audio'
  if (served.startsWith('video/')) return 'video'
  return served === 'application/pdf' ? 'pdf' : 'json'
}

/** Returns the content type that a file name suggests. */
function typeOfName(name: string): string {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return ownTypes[extension] ?? (mime.lookup(name) || anything)
}

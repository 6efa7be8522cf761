import type { Handler } from '@/server/kernel/http/call'
import type { Services } from '@/server/services'

/** Part of the site's paths with the handler of their requests. */
export interface Mount {
  /** The label of its requests in metrics and logs. */
  name: string
  /** Tells whether a path, as sent, belongs to it. */
  match(path: string): boolean
  /** Makes the handler, once for the life of the process. */
  createHandler(services: Services): Handler
  /**
   * Tells of a matched path whether the mount itself limits how slowly a body may come: the server's deadline for bodies
   * then begins only with the end of the answer.
   */
  pacesBody?(path: string): boolean
}

/** Tells whether a path is at a prefix or below it. Repeated slashes before the prefix's end count as one. */
export function isBelow(path: string, prefix: string): boolean {
  const single = path.startsWith('//') || path.startsWith('/api//') ? path.replace(/\/{2,}/g, '/') : path
  return single === prefix || single.startsWith(`${prefix}/`)
}

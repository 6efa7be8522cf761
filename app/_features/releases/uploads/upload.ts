/** State of a file that was selected for upload. */
export type UploadState =
  /** The file is queued, or the release does not exist yet. */
  | 'waiting'
  /** Another file has this name, and the user must decide what to do. */
  | 'asking'
  | 'sending'
  | 'paused'
  /** The connection was lost. The upload is retried automatically. */
  | 'away'
  | 'failed'
  /** The file was rejected, and a retry would be rejected too. */
  | 'refused'
  /** The upload started before the page was opened. The user must select the file again to resume it. */
  | 'interrupted'
  /** The file is attached. It stays in the queue until the list of the release's files includes it. */
  | 'attached'

export interface Upload {
  key: string
  name: string
  size: number
  /** Number of bytes that the server has received. */
  sent: number
  state: UploadState
  problem: string | undefined
  bytesPerSecond: number | undefined
}

const underWay: readonly UploadState[] = ['waiting', 'asking', 'sending', 'paused', 'away']

/** Returns whether leaving the page would interrupt the upload. */
export const isUnderWay = ({ state }: Upload): boolean => underWay.includes(state)

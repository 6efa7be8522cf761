/** The state of a chosen file. */
export type UploadState =
  /** Queued, or the release does not exist yet. */
  | 'waiting'
  /** Another file has this name; the user is asked what to do. */
  | 'asking'
  | 'sending'
  | 'paused'
  /** The connection was lost; it is retried. */
  | 'away'
  | 'failed'
  /** Rejected, and would be rejected again. */
  | 'refused'
  /** Started before the page was opened; the file must be chosen again. */
  | 'interrupted'
  /** The release has it; it is shown until the list of files holds it. */
  | 'attached'

export interface Upload {
  key: string
  name: string
  size: number
  /** Bytes the server has received. */
  sent: number
  state: UploadState
  problem: string | undefined
  bytesPerSecond: number | undefined
}

const underWay: readonly UploadState[] = ['waiting', 'asking', 'sending', 'paused', 'away']

/** Whether leaving the page would interrupt it. */
export const isUnderWay = ({ state }: Upload): boolean => underWay.includes(state)

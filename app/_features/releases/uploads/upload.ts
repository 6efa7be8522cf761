/** What goes on with a file that was chosen. Once it is attached it is no upload anymore. */
export type UploadState =
  /** Its turn has not come, or there is no release yet to attach it to. */
  | 'waiting'
  /** Another file has its name: what to do is asked. */
  | 'asking'
  | 'sending'
  | 'paused'
  /** The site does not answer, which is tried again. */
  | 'away'
  | 'failed'
  /** Is not taken, and would not be the next time. */
  | 'refused'
  /** Begun before the page was opened: the file has to be chosen again. */
  | 'interrupted'

export interface Upload {
  key: string
  name: string
  size: number
  /** Bytes that have arrived. */
  sent: number
  state: UploadState
  problem: string | undefined
  bytesPerSecond: number | undefined
}

const underWay: readonly UploadState[] = ['waiting', 'asking', 'sending', 'paused', 'away']

/** Whether leaving now would interrupt it. */
export const isUnderWay = ({ state }: Upload): boolean => underWay.includes(state)

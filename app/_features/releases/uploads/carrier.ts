/** Sends files to the server. */
export interface Carrier {
  /** `begun` is the upload to resume, or to replace if the file is not the same. */
  send: (
    file: File,
    target: { release: number; name: string; replaces: boolean; begun?: string | undefined },
    events: SendEvents,
  ) => Sending
  /** Discards what the server has received of a file. */
  discard: (upload: { file?: File | undefined; id?: string | undefined }) => Promise<void>
}

export interface SendEvents {
  onProgress: (sent: number) => void
  onDone: () => void
  onFailure: (failure: SendFailure) => void
}

/** Why a transfer ended, and what could help. */
export interface SendFailure {
  problem: string
  /**
   * `away`: retrying may help, since the server did not answer or asked to come back later. `failed`: retrying may help once the
   * user has done something. `refused`: the server will never accept this file.
   */
  state: 'away' | 'failed' | 'refused'
}

/** A transfer under way. */
export interface Sending {
  /** Stops it; the server keeps what it has received. */
  stop: () => void
}

/** An unfinished upload on the server. */
export interface Unfinished {
  id: string
  name: string
  size: number
  received: number
  replaces: boolean
}

/** Carries files to the server. */
export interface Carrier {
  /** `begun` is the upload that this one goes on with, or is in place of where the file is not quite the same. */
  send: (
    file: File,
    target: { release: number; name: string; replaces: boolean; begun?: string | undefined },
    events: SendEvents,
  ) => Sending
  /** Forgets what has arrived of a file. */
  discard: (upload: { file?: File | undefined; id?: string | undefined }) => Promise<void>
}

export interface SendEvents {
  onProgress: (sent: number) => void
  onDone: () => void
  onFailure: (failure: SendFailure) => void
}

/** Why a transfer ended, and whether it can go on. */
export interface SendFailure {
  problem: string
  /**
   * `away` where trying again may help by itself: the site did not answer, or said to come back. `failed` where it may help
   * once somebody has done something. `refused` where this file will not be taken, however often it is sent.
   */
  state: 'away' | 'failed' | 'refused'
}

/** A transfer under way. */
export interface Sending {
  /** Ends it; what has arrived stays. */
  stop: () => void
}

/** An upload that the server has a part of. */
export interface Unfinished {
  id: string
  name: string
  size: number
  received: number
  replaces: boolean
}

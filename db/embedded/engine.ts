/** An engine of an embedded database, with one session. */
export interface Engine {
  /**
   * Executes messages of PostgreSQL's wire protocol, after those of all earlier calls, and returns the response.
   * The messages cannot be used afterward.
   */
  execute(messages: Uint8Array): Promise<Uint8Array>
  /** Writes everything to the files and stops the engine. */
  close(): Promise<void>
  /** Stops an engine that has ended by itself, and writes nothing. */
  abandon(): Promise<void>
}

/** Header in which a page states the account it was rendered for. */
export const viewerHeader = 'x-guildhall-viewer'

/** Returns the value of `viewerHeader`: the account's ID, because a name can later belong to someone else, or `nobody`. */
export const viewerName = (userId: number | undefined): string =>
  userId === undefined ? 'nobody' : String(userId)

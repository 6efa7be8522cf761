/** The header in which a page says for whom it was rendered. */
export const viewerHeader = 'x-guildhall-viewer'

/** The viewer of a page as the header names them: the id of their account, as a name can pass to somebody else. */
export const viewerName = (userId: number | undefined): string =>
  userId === undefined ? 'nobody' : String(userId)

import { remember } from '@/app/_lib/remember'

/** Protocol to clone over. */
export type CloneWay = 'https' | 'ssh'

export const cloneCookie = 'guildhall_clone'

/**
 * Returns the protocol that was last selected in this browser, according to its cookie. The default is HTTPS.
 */
export const readCloneWay = (cookie: string | undefined): CloneWay => (cookie === 'ssh' ? 'ssh' : 'https')

export const rememberCloneWay = (way: CloneWay): void => remember(cloneCookie, way)

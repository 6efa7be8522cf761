import { remember } from '@/app/_lib/remember'

/** What git clones over. */
export type CloneWay = 'https' | 'ssh'

export const cloneCookie = 'guildhall_clone'

/** The way that this browser chose last. */
export const readCloneWay = (cookie: string | undefined): CloneWay => (cookie === 'ssh' ? 'ssh' : 'https')

export const rememberCloneWay = (way: CloneWay): void => remember(cloneCookie, way)

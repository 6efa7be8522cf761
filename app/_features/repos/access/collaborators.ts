import type { Collaborator } from '@/server/repos/collaborators/schema'

/** What a collaborator can be given. */
export const givenModes = ['read', 'write', 'admin'] as const
export type GivenMode = Collaborator['mode']

export const givenWords: Record<GivenMode, string> = { read: 'Read', write: 'Write', admin: 'Admin' }

import type { AddKeyInput } from '@/server/keys/schema'
import { trpc } from './trpc'

/** Whose keys a list shows: one's own, or somebody's whom an administrator looks after. */
export interface KeyOwner {
  username: string
  mine: boolean
}

export const listKeys = ({ username, mine }: KeyOwner, page: number) =>
  trpc.keys.newest.query({ username: mine ? undefined : username, page })

export const addKey = ({ username, mine }: KeyOwner, { title, key }: Pick<AddKeyInput, 'title' | 'key'>) =>
  mine ? trpc.keys.add.mutate({ title, key }) : trpc.keys.addFor.mutate({ username, title, key })

export const removeKey = ({ username, mine }: KeyOwner, id: number) =>
  mine ? trpc.keys.remove.mutate({ id }) : trpc.keys.removeFor.mutate({ username, id })

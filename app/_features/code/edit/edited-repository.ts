import type { Repository } from '@/server/repos/schema'

/** What a page that changes files knows of its repository. */
export interface EditedRepository {
  id: number
  full_name: string
  owner: string
  name: string
}

export const editedRepository = ({ id, full_name, owner, name }: Repository): EditedRepository => ({
  id,
  full_name,
  owner: owner.login,
  name,
})

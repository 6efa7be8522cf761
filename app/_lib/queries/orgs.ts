import { queryOptions } from '@tanstack/react-query'
import type { ListChoice } from '../list-choice'
import type { peopleList, publicPeopleList } from '../lists'
import { trpc } from '../trpc'

export const orgMembersKey = (org: string) => ['org-members', org] as const

export const peopleQuery = (org: string, choice: ListChoice<typeof peopleList | typeof publicPeopleList>) =>
  queryOptions({
    queryKey: [...orgMembersKey(org), choice],
    queryFn: () => trpc.orgs.members.listPeople.query({ org, ...choice }),
  })

/** Returns the reason why an account can't have this name. */
export const nameObstacleQuery = (name: string) =>
  queryOptions({
    queryKey: ['name-obstacle', name],
    queryFn: () => trpc.orgs.getNameObstacle.query({ name }),
  })

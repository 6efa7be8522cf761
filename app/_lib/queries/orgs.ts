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

/** What keeps an account from having this name. */
export const nameObstacleQuery = (name: string) =>
  queryOptions({
    queryKey: ['name-obstacle', name],
    queryFn: () => trpc.orgs.getNameObstacle.query({ name }),
  })

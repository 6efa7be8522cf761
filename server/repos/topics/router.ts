import { z } from 'zod'
import { router } from '@/server/trpc/init'
import { openProcedure, signedInWith } from '@/server/trpc/procedures'
import { rest } from '@/server/trpc/rest'
import { loadRepository } from '../load'
import { administration } from '../policy'
import { RepoPath } from '../schema'
import { listTopics, searchTopics } from './list'
import {
  ListTopicsInput,
  SearchTopicsInput,
  SetTopicsOption,
  TopicNamePage,
  TopicPage,
  TopicPath,
} from './schema'
import { addTopic, removeTopic, setTopics } from './set'

const at = '/repos/{owner}/{repo}/topics'
const common = { tag: 'repository', scopes: ['repository'] } as const
const read = { ...common, anonymous: true, page: 'count', itemsIn: 'topics' } as const
const change = { ...common, status: 204 } as const
const errors = {
  403: 'You do not have admin access to the repository.',
  404: 'The repository does not exist or is not visible to you.',
  422: 'A name is invalid, or the repository would have more than 25 topics.',
}

const administered = signedInWith(RepoPath, (ctx, path) => loadRepository(ctx, path, administration))

export const topicsRouter = router({
  list: openProcedure
    .meta(
      rest('GET', at, { ...read, summary: 'List the topics of a repository', errors: { 404: errors[404] } }),
    )
    .input(ListTopicsInput)
    .output(TopicNamePage)
    .query(({ ctx, input }) => listTopics(ctx, input)),

  set: administered
    .meta(rest('PUT', at, { ...change, summary: 'Replace the topics of a repository', errors }))
    .input(SetTopicsOption)
    .output(z.void())
    .mutation(({ ctx, input }) => setTopics(ctx, ctx.found, input.topics)),

  add: administered
    .meta(rest('PUT', `${at}/{topic}`, { ...change, summary: 'Add a topic to a repository', errors }))
    .input(TopicPath)
    .output(z.void())
    .mutation(({ ctx, input }) => addTopic(ctx, ctx.found, input.topic)),

  remove: administered
    .meta(
      rest('DELETE', `${at}/{topic}`, {
        ...change,
        summary: 'Remove a topic from a repository',
        errors: {
          ...errors,
          404: 'The repository does not exist, is not visible to you, or does not have the topic.',
          422: 'The name is invalid.',
        },
      }),
    )
    .input(TopicPath)
    .output(z.void())
    .mutation(({ ctx, input }) => removeTopic(ctx, ctx.found, input.topic)),

  search: openProcedure
    .meta(rest('GET', '/topics/search', { ...read, shows: 'site', summary: 'Search topics of repositories' }))
    .input(SearchTopicsInput)
    .output(TopicPage)
    .query(({ ctx, input }) => searchTopics(ctx, input)),
})

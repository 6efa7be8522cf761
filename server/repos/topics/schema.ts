import { z } from 'zod'
import { pageInput, pageOf } from '@/server/kernel/pagination'
import { line, pathText, queryText, wireId, wireTimeSchema } from '@/server/kernel/wire'
import { RepoPath } from '../schema'

export const ListTopicsInput = RepoPath.extend(pageInput)
/** The names of a repository's topics. */
export const TopicNamePage = pageOf(z.string())

export const TopicPath = RepoPath.extend({ topic: pathText })

export const SetTopicsOption = RepoPath.extend({
  topics: z
    .array(line(255))
    .max(1000)
    .default([])
    .describe('Names of up to 25 topics; none removes all topics of the repository.'),
})

/** A topic with the number of repositories that have it and that the caller can see. */
export const Topic = z
  .object({
    id: wireId,
    topic_name: z.string(),
    repo_count: z.int(),
    created: wireTimeSchema,
    updated: wireTimeSchema,
  })
  .meta({ id: 'TopicResponse' })
export type Topic = z.output<typeof Topic>
export const TopicPage = pageOf(Topic)

export const SearchTopicsInput = z.object({
  q: queryText.default('').describe('Text that the names contain. Names that begin with it come first.'),
  ...pageInput,
})
export type SearchTopicsInput = z.output<typeof SearchTopicsInput>

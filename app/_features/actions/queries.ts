import { queryOptions } from '@tanstack/react-query'
import type { RepoPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import type { Progress } from '@/server/actions/runs/schema'
import type { RunChoice } from './run-choice'

/** Returns a repository's runs with the filters of the page's URL. */
export const runsQuery = (path: RepoPath, choice: RunChoice) =>
  queryOptions({
    queryKey: ['runs', path.owner, path.repo, choice],
    queryFn: () => trpc.actions.runs.browse.query({ ...path, ...choice }),
  })

/** Returns a run with the jobs of an attempt, or of the latest one. */
export const runQuery = (path: RepoPath, run: number, attempt: number | undefined) =>
  queryOptions({
    queryKey: ['run', path.owner, path.repo, run, attempt ?? null],
    queryFn: () => trpc.actions.runs.show.query({ ...path, run, attempt }),
  })

/** Returns a run's job with its steps. */
export const jobQuery = (path: RepoPath, run: number, job: number) =>
  queryOptions({
    queryKey: ['run', path.owner, path.repo, run, 'job', job],
    queryFn: () => trpc.actions.runs.showJob.query({ ...path, run, job }),
  })

const askAgainMs = 5000

/** Polling interval in milliseconds of pages without live updates, while anything shown is not completed. */
export const fallbackInterval = (
  isFollowed: boolean,
  ...shown: readonly (Pick<Progress, 'status'> | undefined)[]
): number | false => (isFollowed || shown.every(one => one?.status === 'completed') ? false : askAgainMs)

/** Returns why a job is waiting. Polled, because changes of runner state send no live event. */
export const waitingQuery = (path: RepoPath, run: number, job: number) =>
  queryOptions({
    queryKey: ['run', path.owner, path.repo, run, 'waiting', job],
    queryFn: () => trpc.runners.explainWaiting.query({ ...path, job_id: job }),
    refetchInterval: askAgainMs,
  })

/** Cache key of a repository's workflows. */
export const workflowsKey = (path: RepoPath): readonly string[] => ['workflows', path.owner, path.repo]

/** Returns the workflows of the default branch. */
export const workflowsQuery = (path: RepoPath) =>
  queryOptions({
    queryKey: workflowsKey(path),
    queryFn: () => trpc.workflows.browse.query(path),
  })

/** Returns the workflows of a branch or tag that people can start. */
export const dispatchQuery = (path: RepoPath, ref: string) =>
  queryOptions({
    queryKey: ['dispatch', path.owner, path.repo, ref],
    queryFn: () => trpc.workflows.showForm.query({ ...path, ref }),
  })

/** Returns the workflow file as of the creation of the run, which never changes. */
export const documentQuery = (path: RepoPath, run: number) =>
  queryOptions({
    queryKey: ['run-document', path.owner, path.repo, run],
    queryFn: () => trpc.actions.runs.getDocument.query({ ...path, run }),
    staleTime: Number.POSITIVE_INFINITY,
  })

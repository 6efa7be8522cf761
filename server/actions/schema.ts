import type { z } from 'zod'
import { id } from '@/server/kernel/wire'
import { RepoPath } from '@/server/repos/schema'

export const RunPath = RepoPath.extend({ run: id })
export type RunPath = z.output<typeof RunPath>
export const JobPath = RepoPath.extend({ job_id: id })
export type JobPath = z.output<typeof JobPath>
export const TaskPath = RepoPath.extend({ task_id: id })
export type TaskPath = z.output<typeof TaskPath>

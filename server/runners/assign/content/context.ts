import { contextOfRun, type RunSource } from '@/server/actions'
import type { Config } from '@/server/kernel/config'

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/**
 * Returns the `github` context of a job: strings, and the object `event`. The runner replaces URLs with the
 * one that it was registered with.
 */
export function contextOf(
  { baseUrl, actionsUrl, artifactRetentionDays }: Config,
  { run, payload, repository, owner, startedBy }: RunSource,
  { attempt, job_key }: { attempt: number; job_key: string },
  token: string,
): Record<string, JsonValue> {
  const name = `${owner.name}/${repository.name}`
  const context = contextOfRun(run)
  return {
    ...context,
    repository: name,
    repository_owner: owner.name,
    repositoryUrl: `${baseUrl}/${name}.git`,
    event_name: run.event,
    event: payload as { [key: string]: JsonValue },
    run_attempt: String(attempt),
    triggering_actor: startedBy || (context.triggering_actor ?? ''),
    job: job_key,
    token,
    retention_days: String(artifactRetentionDays),
    server_url: baseUrl,
    api_url: `${baseUrl}/api/v1`,
    event_path: '',
    workspace: '',
    action: '',
    action_path: '',
    action_ref: '',
    action_repository: '',
    action_status: '',
    env: '',
    path: '',
    gitea_default_actions_url: actionsUrl,
    gitea_runtime_token: token,
  }
}

import {
  addRunningJob,
  addToOrg,
  addToTeam,
  attach,
  makeAttachment,
  makeDeployKey,
  makeKey,
  makeOrg,
  makeRelease,
  makeRepository,
  makeRunningJob,
  makeTeam,
} from '@/db/testing/factories'
import { makeArtifact } from './artifacts'
import { makeRunnerRow } from './assigned'
import { call } from './call'
import { makeDelivery, makeHook } from './hooks'
import { makePerson, type Person } from './people'
import type { Site } from './site'

export const roles = ['anonymous', 'outsider', 'member', 'team member', 'owner', 'site admin'] as const
export type Role = (typeof roles)[number]

/**
 * An organization with a private repository to which one team can write, and people in every role toward it.
 */
export interface World {
  people: Record<Exclude<Role, 'anonymous'>, Person>
  /** A member of the team who is the subject of requests, but never the caller. */
  colleague: Person
  /** A person who has no role in the organization. */
  stranger: Person
  /**
   * The values of path parameters by name. As `{id}` has several meanings, its keys are path prefixes such as
   * `/teams/{id}`.
   */
  values: Record<string, string | number>
}

export async function makeWorld(site: Site): Promise<World> {
  const [outsider, member, teamMember, owner, siteAdmin, colleague, stranger] = await Promise.all([
    makePerson(site),
    makePerson(site),
    makePerson(site),
    makePerson(site),
    makePerson(site, { is_admin: true }),
    makePerson(site),
    makePerson(site),
  ])
  const org = await makeOrg(site.db, owner.account.id)
  await addToOrg(site.db, org.id, member.account.id)
  const team = await makeTeam(
    site.db,
    org.id,
    { mode: 'write' },
    { 'repo.code': 'write', 'repo.releases': 'write', 'repo.actions': 'write' },
  )
  await addToTeam(site.db, team, teamMember.account.id)
  await addToOrg(site.db, org.id, colleague.account.id, true)
  await addToTeam(site.db, team, colleague.account.id)
  const repository = await makeRepository(site.db, org.id, { is_private: true })
  await attach(site.db, team, repository.id)
  const release = await makeRelease(site.db, repository.id, { tag_name: 'v1' })
  const attachment = await makeAttachment(site.db, release)
  const running = await makeRunningJob(site.db, repository.id)
  const artifact = await makeArtifact(site, {
    run: { id: running.run_id, repository_id: repository.id, attempt: 1 },
    jobs: [{ job: { id: running.job_id } }],
  })
  const queued = await addRunningJob(site.db, running, { status: 'queued' })
  const elsewhere = await makeTeam(site.db, org.id)
  const key = await makeKey(site.db, colleague.account.id)
  const deployKey = await site.db
    .selectFrom('deploy_keys')
    .select('id')
    .where('key_id', '=', (await makeDeployKey(site.db, [repository])).id)
    .executeTakeFirstOrThrow()
  const [orgHook, repositoryHook, ownHook, systemHook] = await Promise.all([
    makeHook(site, { owner_id: org.id }),
    makeHook(site, { repository_id: repository.id }),
    makeHook(site, { owner_id: colleague.account.id }),
    makeHook(site, { scope: 'system' }),
  ])
  const owners = [{ owner_id: org.id }, { repository_id: repository.id }]
  const secret = { is_secret: true, name: 'TOKEN', value_sealed: Buffer.of(0) }
  const variable = { is_secret: false, name: 'REGION', value: 'x' }
  await site.db
    .insertInto('workflow_variables')
    .values(
      owners.flatMap(ownerIds => [
        { ...ownerIds, ...secret },
        { ...ownerIds, ...variable },
      ]),
    )
    .execute()
  await site.db
    .insertInto('workflow_variables')
    .values(variable)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const [repositoryLabel, orgLabel] = await site.db
    .insertInto('labels')
    .values([
      { repository_id: repository.id, name: 'bug', color: 'ee0701' },
      { org_id: org.id, name: 'bug', color: 'ee0701' },
    ])
    .returning('id')
    .execute()
  const event = await site.db
    .insertInto('events')
    .values({ kind: 'git.pushed', in_feed: true, owner_id: org.id, repository_id: repository.id, data: '{}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    people: { outsider, member, 'team member': teamMember, owner, 'site admin': siteAdmin },
    colleague,
    stranger,
    values: {
      username: colleague.name,
      collaborator: stranger.name,
      org: org.name,
      owner: org.name,
      repo: repository.name,
      team: team.name,
      branch: 'main',
      tag: 'v1',
      attachment_id: attachment.id,
      run: running.run_id,
      artifact_id: artifact.id,
      attempt: 1,
      job_id: queued.job_id,
      task_id: running.task_id,
      token: 'none',
      'elsewhere team': elsewhere.name,
      event_id: event.id,
      workflow_id: 'ci.yml',
      secretname: 'TOKEN',
      variablename: 'REGION',
      '/teams/{id}': team.id,
      '/user/keys/{id}': key.id,
      '/repositories/{id}': repository.id,
      '/admin/users/{username}/keys/{id}': key.id,
      '/repos/{owner}/{repo}/releases/{id}': release.id,
      '/repos/{owner}/{repo}/keys/{id}': deployKey.id,
      '/repos/{owner}/{repo}/labels/{id}': repositoryLabel!.id,
      '/orgs/{org}/labels/{id}': orgLabel!.id,
      '/orgs/{org}/hooks/{id}': orgHook.id,
      '/repos/{owner}/{repo}/hooks/{id}': repositoryHook.id,
      '/user/hooks/{id}': ownHook.id,
      '/admin/hooks/{id}': systemHook.id,
      'runner of /orgs/{org}/actions/runners/{runner_id}': await makeRunnerRow(site, { owner_id: org.id }),
      'runner of /repos/{owner}/{repo}/actions/runners/{runner_id}': await makeRunnerRow(site, {
        repository_id: repository.id,
      }),
      'runner of /user/actions/runners/{runner_id}': await makeRunnerRow(site, {
        owner_id: colleague.account.id,
      }),
      'runner of /admin/actions/runners/{runner_id}': await makeRunnerRow(site),
      'delivery of /orgs/{org}/hooks/{id}': await makeDelivery(site, orgHook),
      'delivery of /repos/{owner}/{repo}/hooks/{id}': await makeDelivery(site, repositoryHook),
      'delivery of /admin/hooks/{id}': await makeDelivery(site, systemHook),
    },
  }
}

/** Replaces the repository of the world, which exists only in the database, by one with Git data. */
export async function giveRepository(site: Site, { people, values }: World): Promise<void> {
  const body = { name: 'real', private: true, auto_init: true }
  const made = await call(site, 'POST', `/orgs/${values.org}/repos`, { as: people.owner, body })
  const path = `/teams/${values['/teams/{id}']}/repos/${values.org}/${body.name}`
  await call(site, 'PUT', path, { as: people.owner })
  Object.assign(values, { repo: body.name, '/repositories/{id}': made.body.id })
}

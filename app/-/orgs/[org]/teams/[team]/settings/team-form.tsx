'use client'
import { zodResolver } from '@hookform/resolvers/zod'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { toast } from 'sonner'
import { Panel } from '@/app/_components/box'
import form from '@/app/_components/form.module.css'
import { FormBanner } from '@/app/_components/form-banner'
import { SaveActions } from '@/app/_components/save-actions'
import { TextField } from '@/app/_components/text-field'
import { showFailure } from '@/app/_lib/form-error'
import { trpc } from '@/app/_lib/trpc'
import { useHydrated } from '@/app/_lib/use-hydrated'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/use-unsaved-warning'
import { teamAddress } from '@/app/-/orgs/_org/org-address'
import { CreateTeamOption, type Team } from '@/server/teams/schema'
import { TeamReach } from './team-reach'

// A saved team has a name for good, so the empty one that an edit would ignore is refused here.
const TeamFields = CreateTeamOption.pick({
  name: true,
  description: true,
  includes_all_repositories: true,
  can_create_org_repo: true,
})

const fieldsOf = ({ name, description, includes_all_repositories, can_create_org_repo }: Team) => ({
  name,
  description,
  includes_all_repositories,
  can_create_org_repo,
})

export function TeamForm({ team }: { team: Team }): ReactNode {
  const router = useRouter()
  const hydrated = useHydrated()
  const saved = fieldsOf(team)
  const fields = useForm({ resolver: zodResolver(TeamFields), defaultValues: saved })
  const { errors, isDirty, isSubmitting } = fields.formState
  useUnsavedWarning(isDirty)
  const isOwners = team.permission === 'owner'

  const submit = useSingleFlight(
    fields.handleSubmit(async input => {
      try {
        // What the team reaches is only taken together with its permission.
        const now = await trpc.teams.edit.mutate({ id: team.id, permission: team.permission, ...input })
        fields.reset(fieldsOf(now))
        toast.success(`Saved the team ${now.name}`)
        if (now.name !== team.name) router.replace(teamAddress(team.organization.name, now.name, 'settings'))
        router.refresh()
      } catch (error) {
        showFailure(fields, error)
      }
    }),
  )

  return (
    <Panel title="Team">
      <form className={form.form} onSubmit={submit} noValidate method="post">
        <FormBanner title="The team was not saved" message={errors.root?.server?.message} />
        <div className={`${form.form} ${form.narrow}`}>
          <TextField
            {...fields.register('name')}
            defaultValue={saved.name}
            readOnly={!hydrated || isOwners}
            label="Name"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            caption={
              isOwners
                ? 'The owners team always has this name.'
                : 'Letters, digits and - _ . only. The old name leads nowhere after a change.'
            }
            error={errors.name?.message}
          />
          <TextField
            {...fields.register('description')}
            defaultValue={saved.description}
            readOnly={!hydrated}
            label="Description"
            optional
            autoComplete="off"
            error={errors.description?.message}
          />
        </div>
        {isOwners ? (
          <p className={form.hint}>
            Owners have all repositories of the organization and may always create more.
          </p>
        ) : (
          <TeamReach team={team} fields={fields} />
        )}
        <SaveActions words="Save team" unsaved={isDirty} saving={isSubmitting} />
      </form>
    </Panel>
  )
}

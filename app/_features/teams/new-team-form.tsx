'use client'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { CheckField, FormBanner, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import { newTeamDraft, toInput } from '@/app/_features/teams/permissions/permission-draft'
import { PermissionFields } from '@/app/_features/teams/permissions/permission-fields'
import { showFailure } from '@/app/_lib/failure'
import { orgPath, teamPath } from '@/app/_lib/paths'
import { toast } from '@/app/_lib/toast'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { refreshPage } from '@/app/_lib/workarounds/navigation-queue'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import { scopeLabels } from './team-scope-fields'

const loadNewTeam = async () =>
  (await import('@/server/teams/schema')).CreateTeamOption.pick({
    name: true,
    description: true,
    includes_all_repositories: true,
    can_create_org_repo: true,
  })

export function NewTeamForm({ org }: { org: string }): ReactNode {
  const router = useRouter()
  const [draft, setDraft] = useState(newTeamDraft)
  const team = useForm({
    resolver: useSchemaResolver(loadNewTeam),
    defaultValues: {
      name: '',
      description: '',
      includes_all_repositories: false,
      can_create_org_repo: false,
    },
  })
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = team.formState
  useUnsavedWarning((isDirty || draft !== newTeamDraft) && !isSubmitSuccessful)

  const submit = useSingleFlight(
    team.handleSubmit(async input => {
      try {
        const made = await trpc.teams.create.mutate({ org, ...input, ...toInput(draft) })
        toast.success(`Created the team ${made.name}`)
        router.push(teamPath(org, made.name))
        refreshPage()
      } catch (error) {
        showFailure(team, error)
      }
    }),
    isSubmitSuccessful,
  )

  return (
    <form className={form.form} onSubmit={submit} noValidate method="post">
      <FormBanner title="The team couldn’t be created" message={errors.root?.server?.message} />
      <div className={`${form.form} ${form.narrow}`}>
        <TextField
          {...team.register('name')}
          autoFocus
          label="Name"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          caption="Use only letters, numbers, dashes, underscores, and dots. Used in URLs."
          error={errors.name?.message}
        />
        <TextField
          {...team.register('description')}
          label="Description"
          optional
          autoComplete="off"
          error={errors.description?.message}
        />
      </div>
      <PermissionFields draft={draft} onChange={setDraft} />
      <CheckField {...team.register('includes_all_repositories')} {...scopeLabels.all} />
      <CheckField {...team.register('can_create_org_repo')} {...scopeLabels.create} />
      <div className={form.actions}>
        <Button type="submit" variant="primary" loading={isSubmitting || isSubmitSuccessful}>
          Create team
        </Button>
        <ButtonLink href={orgPath(org, 'teams')}>Cancel</ButtonLink>
      </div>
    </form>
  )
}

'use client'
import { useRouter } from 'next/navigation'
import type { BaseSyntheticEvent } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import type { NewRepository } from '@/app/_features/repos/form-schemas'
import { showFailure } from '@/app/_lib/failure'
import { repositoryPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { Repository } from '@/server/repos/schema'

type NewRepositoryInput = z.input<typeof NewRepository>

interface NewRepositoryState {
  repository: UseFormReturn<NewRepositoryInput, unknown, NewRepository>
  submit: (event?: BaseSyntheticEvent) => Promise<void>
  /** Whether the repository is being created or its page is loading. */
  isBusy: boolean
}

/** State of the form that creates a repository. After submitting, it opens the new repository's page. */
export function useNewRepository(
  me: string,
  { owner, name }: Pick<NewRepositoryInput, 'owner' | 'name'>,
): NewRepositoryState {
  const router = useRouter()
  const repository = useForm<NewRepositoryInput, unknown, NewRepository>({
    resolver: useSchemaResolver(
      async () => (await import('@/app/_features/repos/form-schemas')).NewRepository,
    ),
    defaultValues: {
      owner,
      name,
      description: '',
      visibility: 'public',
      auto_init: false,
      gitignores: '',
      license: '',
      issue_labels: '',
      default_branch: '',
    },
  })
  const { isDirty, isSubmitting, isSubmitSuccessful } = repository.formState
  useUnsavedWarning(isDirty && !isSubmitSuccessful)

  const submit = useSingleFlight(
    repository.handleSubmit(async input => {
      try {
        router.push(repositoryPath(await createRepository(me, input)))
      } catch (error) {
        showFailure(repository, error)
      }
    }),
    isSubmitSuccessful,
  )
  return { repository, submit, isBusy: isSubmitting || isSubmitSuccessful }
}

function createRepository(me: string, input: NewRepository): Promise<Repository> {
  const { owner, visibility, ...rest } = input
  // The selected files require a first commit, which always contains a README.
  const auto_init = Boolean(rest.auto_init || rest.gitignores || rest.license)
  const repository = { ...rest, auto_init, private: visibility === 'private' }
  return owner === me
    ? trpc.repos.create.mutate(repository)
    : trpc.repos.createInOrg.mutate({ org: owner, ...repository })
}

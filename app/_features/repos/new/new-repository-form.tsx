'use client'
import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { FormBanner, TextareaField, TextField } from '@/app/_components/fields'
import form from '@/app/_components/form.module.css'
import { ButtonLink } from '@/app/_components/links'
import { Button } from '@/app/_components/primer'
import type { NewRepository } from '@/app/_features/repos/form-schemas'
import { RepositoryNameField } from '@/app/_features/repos/repository-name-field'
import { showFailure } from '@/app/_lib/failure'
import { repositoryPath } from '@/app/_lib/paths'
import { trpc } from '@/app/_lib/trpc'
import { useSchemaResolver } from '@/app/_lib/use-schema-resolver'
import { useSingleFlight } from '@/app/_lib/use-single-flight'
import { useUnsavedWarning } from '@/app/_lib/workarounds/use-unsaved-warning'
import type { Repository } from '@/server/repos/schema'
import { BeginningFields, OwnerField, VisibilityField } from './fields'
import styles from './new.module.css'

interface NewRepositoryFormProps {
  me: string
  owners: readonly string[]
  initialOwner: string
  initialName: string
  baseUrl: string
  gitignores: readonly string[]
}

export function NewRepositoryForm({
  me,
  owners,
  initialOwner,
  initialName,
  baseUrl,
  gitignores,
}: NewRepositoryFormProps): ReactNode {
  const router = useRouter()
  const repository = useForm({
    resolver: useSchemaResolver(
      async () => (await import('@/app/_features/repos/form-schemas')).NewRepository,
    ),
    defaultValues: {
      owner: initialOwner,
      name: initialName,
      description: '',
      visibility: 'public' as const,
      auto_init: false,
      gitignores: '',
      license: '',
      default_branch: '',
    },
  })
  const { errors, isDirty, isSubmitting, isSubmitSuccessful } = repository.formState
  useUnsavedWarning(isDirty && !isSubmitSuccessful)
  const [owner, name, visibility, hasReadme, gitignore, license] = useWatch({
    control: repository.control,
    name: ['owner', 'name', 'visibility', 'auto_init', 'gitignores', 'license'],
  })

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

  return (
    <form className={`${form.form} ${form.narrow}`} onSubmit={submit} noValidate method="post">
      <FormBanner title="The repository was not created" message={errors.root?.server?.message} />
      <OwnerField
        field={repository.register('owner', { onChange: () => repository.clearErrors('name') })}
        owners={owners}
      />
      <RepositoryNameField
        field={repository.register('name')}
        value={name}
        base={`${baseUrl}/${owner}/`}
        owner={owner}
        onUse={used => {
          repository.setValue('name', used, { shouldDirty: true })
          repository.clearErrors('name')
          repository.setFocus('name')
        }}
        autoFocus
        error={errors.name?.message}
      />
      <TextareaField
        {...repository.register('description')}
        label="Description"
        optional
        rows={2}
        error={errors.description?.message}
      />
      <VisibilityField
        field={repository.register('visibility')}
        value={visibility}
        owner={owner}
        isMine={owner === me}
      />
      <BeginningFields
        hasReadme={Boolean(hasReadme)}
        onReadme={wanted => repository.setValue('auto_init', wanted, { shouldDirty: true })}
        needsReadme={Boolean(gitignore || license)}
        gitignore={repository.register('gitignores')}
        license={repository.register('license')}
        gitignores={gitignores}
      />
      <details className={styles.more} open={errors.default_branch ? true : undefined}>
        <summary>More</summary>
        <div>
          <TextField
            {...repository.register('default_branch')}
            label="Default branch"
            optional
            autoComplete="off"
            spellCheck={false}
            placeholder="main"
            error={errors.default_branch?.message}
          />
        </div>
      </details>
      <div className={form.actions}>
        <Button type="submit" variant="primary" loading={isSubmitting || isSubmitSuccessful}>
          Create repository
        </Button>
        <ButtonLink href="/">Cancel</ButtonLink>
      </div>
    </form>
  )
}

function createRepository(me: string, input: NewRepository): Promise<Repository> {
  const { owner, visibility, ...rest } = input
  // There is no commit without a readme.
  const auto_init = Boolean(rest.auto_init || rest.gitignores || rest.license)
  const repository = { ...rest, auto_init, private: visibility === 'private' }
  return owner === me
    ? trpc.repos.create.mutate(repository)
    : trpc.repos.createInOrg.mutate({ org: owner, ...repository })
}

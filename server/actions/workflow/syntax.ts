import { OneOfDefinition } from '@actions/workflow-parser/templates/schema/one-of-definition'
import { StringDefinition } from '@actions/workflow-parser/templates/schema/string-definition'
import type { TemplateSchema } from '@actions/workflow-parser/templates/schema/template-schema'
import { getWorkflowSchema } from '@actions/workflow-parser/workflows/workflow-schema'

let extended: TemplateSchema | undefined

/**
 * Returns GitHub's schema of workflows, extended by what Gitea and GitHub's service accept beyond it: the
 * context `gitea` wherever `github` is allowed, `matrix` in conditions of jobs, `required` as text, and
 * `repository_dispatch` without a mapping.
 */
export function workflowSyntax(): TemplateSchema {
  extended ??= extend(getWorkflowSchema())
  return extended
}

function extend(schema: TemplateSchema): TemplateSchema {
  const { definitions } = schema
  for (const { readerContext, evaluatorContext } of Object.values(definitions)) {
    for (const allowed of [readerContext, evaluatorContext])
      if (allowed.includes('github')) allowed.push('gitea')
  }
  for (const key of ['job-if', 'job-if-result'])
    for (const allowed of contextsOf(schema, key)) allowed.push('matrix')
  // GitHub's schema names another event here.
  const dispatch = definitions['repository-dispatch-string']
  if (dispatch instanceof StringDefinition) dispatch.constant = 'repository_dispatch'
  const flag = new OneOfDefinition('boolean-or-text')
  flag.oneOf.push('boolean', 'string')
  definitions[flag.key] = flag
  for (const key of ['workflow-dispatch-input', 'workflow-call-input-definition']) {
    const { properties } = definitions[key] as unknown as { properties: Record<string, { type: string }> }
    if (properties.required) properties.required.type = flag.key
  }
  return schema
}

function contextsOf({ definitions }: TemplateSchema, key: string): string[][] {
  const definition = definitions[key]
  return definition ? [definition.readerContext, definition.evaluatorContext] : []
}

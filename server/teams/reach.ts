/**
 * Does a team include all repositories after an edit? The contract lets that change only along with the permission, and
 * never for the owners team.
 */
export function includesAllAfter(
  team: { is_owners: boolean; includes_all_repositories: boolean },
  edit: { permission?: string | undefined; includes_all_repositories?: boolean | undefined },
): boolean {
  if (team.is_owners || !edit.permission) return team.includes_all_repositories
  return edit.includes_all_repositories ?? team.includes_all_repositories
}

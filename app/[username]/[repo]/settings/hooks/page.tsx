import { listPage } from '@/app/_features/hooks/pages/list-page'
import { placeOfRepository } from '@/app/_features/hooks/places'

export const metadata = { title: 'Webhooks' }

export default listPage(placeOfRepository)

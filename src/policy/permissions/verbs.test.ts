import { describe, expect, it } from "vitest";
import { toolRecord } from "../../../test/fixtures/codegen/records.ts";
import { type Effect, effectOfName, toEffect } from "./verbs.ts";

const NAMES: { readonly [effect in Effect]: string } = {
  reads:
    "get_issue list_deleted_items getSentMail list_orders search_posts is_deleted can_delete has_sent_mail post_list order_status " +
    "get_post share_get_link azmcp_deploy_plan_get issue_read READ_FILE fetchURL preview_delete verify_payment get_order_and_trade_history " +
    "check_in_stock check_cancel_policy messages.list email_search server_status list_deleted get_payment preview_send list_cancelled_orders trash_list " +
    "order_summary transfer_history post_stats dry_run_delete simulate_transfer get_kill_switch_state verify_delete_token get_send_as has_access_grant get_deletion_log getter get_assets multiply reset_status git_log select_rows",
  writes:
    "create_issue update_user createOrUpdateFile unsubscribe find_and_replace issue_write drag_and_create untrash_message git_checkout " +
    "add_up create_draft_post check_in_guest checkIn list_create run_query create_order_note draft draft_reply email_draft save_post_draft mark_as_read swap_rows swap-indexes " +
    "read_write_file submit_guess clear_cache cache_clear reset_zoom file_writer pin_message undelete_file process_results select_option",
  destroys:
    "delete_user deleteUser DeleteUser DELETE_USER delete-user user.delete get_and_delete getAndDelete get_or_remove list_remove_item_then_purge " +
    "list_remove deleteuser getanddelete remove_all_files rmdir dеlete_user délete_user ｄｅｌｅｔｅ_user cancel_order execute_command " +
    "run_shell_command trash_message clear_cart drop_table shell-exec deletes_user user_delete storage.remove format_disk empty_trash " +
    "clear_history drop_schema drop_view flush_logs reset_stats clear_list execute_sql run_sql_query bash powershell write_to_terminal " +
    "interact_with_process browser_evaluate invoke_cli list_remove_item read_delete_message fetch_delete fetchDelete inspect_kill get_rid_of_user delete2 deleteall softdelete deletion data_deletion user-removal file_deleter void_invoice cleanup_old_files",
  sends:
    "send_email gmail_send_email sendMessage email_user reply_to_thread invite_user make_phone_call message_send notify_team get_and_send email_summary forward_results trigger_notification call_phone send2 list_send_message",
  pays:
    "check_out_cart pay_invoice create_payment order_create place_order buy_now book_flight transfer_funds payment_refund make_payment_for_order sign_transaction " +
    "send_payment send_money capture_payment create_payment_intent complete_checkout transfer_balance charge_fee swap_tokens add_funds",
  publishes:
    "publish_page post_message slack_post_message create_post share_file git_push deploy_app merge_pull_request unpublish deploy_version share_notes make_public promote_to_production go_live get_publish",
  unknown:
    "sequentialthinking convert_time payments_removed frobnicate drag_and_drop sender removed_items empty cancelled cancellation unpublished_posts deletion_policy generate_post 删除用户 log ui_type track_order html_cleaner",
};

describe("effectOfName", () => {
  for (const [effect, names] of Object.entries(NAMES))
    it.each(names.split(" "))(`${effect}: %s`, (name) => {
      expect(effectOfName(name)).toBe(effect);
    });

  it("takes any name", () => {
    for (const name of [
      "",
      "_",
      "---",
      "__proto__",
      "constructor",
      "a".repeat(10_000),
      "_".repeat(10_000),
      "\ud800",
    ])
      expect(effectOfName(name)).toBe("unknown");
  });
});

describe("toEffect", () => {
  const effect = (name: string, declared: object | undefined, trusted: boolean) =>
    toEffect(toolRecord({ name, trusted, ...(declared === undefined ? {} : { declared }) }));

  it("believes of anybody that a tool is worse than its name", () => {
    expect(effect("get_page", { destructive: true }, false)).toBe("destroys");
    expect(effect("get_page", { readOnly: false }, false)).toBe("writes");
    expect(effect("send_mail", { destructive: true }, false)).toBe("sends");
  });

  it("believes that it is better only of a server that is trusted", () => {
    expect(effect("delete_page", { readOnly: true }, false)).toBe("destroys");
    expect(effect("frobnicate", { readOnly: true }, false)).toBe("unknown");
    expect(effect("delete_page", { destructive: false }, false)).toBe("destroys");
    expect(effect("delete_page", { readOnly: true }, true)).toBe("reads");
    expect(effect("delete_page", { destructive: false }, true)).toBe("writes");
    expect(effect("send_mail", { destructive: false }, true)).toBe("sends");
  });

  it("does not take the protocol's default for a declaration", () => {
    expect(effect("get_page", undefined, false)).toBe("reads");
    expect(effect("frobnicate", { idempotent: true }, false)).toBe("unknown");
  });
});

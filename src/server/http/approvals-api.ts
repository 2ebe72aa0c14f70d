import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAnswer } from "../../engine/approvals/parse-answer.ts";
import { type ShownApproval, toShownApproval } from "../../engine/approvals/shown-approval.ts";
import type { Engine } from "../../engine/engine.ts";
import { KeyholeError } from "../../errors.ts";
import type { PrincipalToken } from "../../session.ts";
import { createGuard, createHostGuard, type GuardOptions } from "./http-guard.ts";
import type { Refusals } from "./refusals.ts";
import { readBodyText } from "./request-body.ts";

export type ApprovalsApiOptions = Pick<GuardOptions, "isLoopback" | "allowedHosts" | "onRefused"> & {
  readonly engine: Engine;
  readonly refusals: Refusals;
  readonly approvers: readonly PrincipalToken[];
  /** Of MCP clients, behind which a model stands: none of these answers anything. */
  readonly clientTokens: readonly PrincipalToken[];
  /** A request is under way whose sender is known. */
  begin(request: IncomingMessage, response: ServerResponse): void;
};

/** Takes a request if it is one about approvals. */
export type ApprovalsApi = (request: IncomingMessage, response: ServerResponse) => Promise<void> | undefined;

type Route = { readonly id?: string | undefined; readonly isWebhook: boolean };

const MAX_BODY_BYTES = 256 * 1024;
const MAX_LIST_BYTES = 4 * 1024 * 1024;
const PATH = /^\/approvals(?:\/(a_[0-9a-f]{1,64})(\/webhook)?)?$/;

/** `/approvals`: what waits for a person, for those with a token of their own to answer. */
export function createApprovalsApi(options: ApprovalsApiOptions): ApprovalsApi {
  const { engine, refusals, approvers, clientTokens, begin, isLoopback, allowedHosts } = options;
  const refused = options.onRefused && { onRefused: options.onRefused };
  const admit = createGuard({
    isLoopback,
    allowedHosts,
    refusals,
    tokens: approvers,
    otherTokens: clientTokens,
    anonymous: undefined,
    noToken: NO_TOKEN,
    wrongToken: WRONG_TOKEN,
    ...refused,
  });
  const hasRightHost = createHostGuard({ isLoopback, allowedHosts, refusals, ...refused });

  async function show(response: ServerResponse, id: string, by: string): Promise<void> {
    const approval = await engine.approvals.get(id);
    if (approval === undefined) return refusals.write(response, 404, "There is no such approval");
    await engine.approvalsShown([approval], by);
    refusals.writeData(response, 200, toShownApproval(approval));
  }

  /** The oldest first: who waits longest. */
  async function list(response: ServerResponse, by: string): Promise<void> {
    const fitting: ShownApproval[] = [];
    const omitted: string[] = [];
    let bytes = 0;
    for await (const page of engine.approvals.pages({ status: "pending" }))
      for (const approval of page) {
        const shown = toShownApproval(approval);
        bytes += Buffer.byteLength(JSON.stringify(shown));
        if (bytes <= MAX_LIST_BYTES) {
          await engine.approvalsShown([approval], by);
          fitting.push(shown);
        } else omitted.push(approval.id);
      }
    refusals.writeData(response, 200, { approvals: fitting, ...(omitted.length > 0 && { omitted }) });
  }

  async function take(
    request: IncomingMessage,
    response: ServerResponse,
    answer: (text: string) => Promise<Parameters<typeof toShownApproval>[0]>,
  ): Promise<void> {
    const body = await readBodyText(request, MAX_BODY_BYTES);
    if (body === undefined) return;
    if (!body.ok) {
      response.shouldKeepAlive = false;
      return refusals.write(response, body.status, body.problem);
    }
    refusals.writeData(response, 200, toShownApproval(await answer(body.text)));
  }

  async function byApprover(
    request: IncomingMessage,
    response: ServerResponse,
    { id }: Route,
  ): Promise<void> {
    if (approvers.length === 0 || !engine.canAnswerByHttp) {
      if (hasRightHost(request, response)) refusals.write(response, 403, NOT_SET_UP);
      return;
    }
    const name = admit(request, response);
    if (name === undefined) return;
    begin(request, response);
    if (request.method === "GET")
      return id === undefined ? list(response, `http ${name}`) : show(response, id, `http ${name}`);
    if (request.method !== "POST" || id === undefined)
      return refusals.write(
        response,
        405,
        "GET /approvals, GET /approvals/ID and POST /approvals/ID are all there is",
      );
    await take(request, response, (text) =>
      engine.approvals.answer(id, parseAnswer(parseJson(text)), `http ${name}`),
    );
  }

  /** Whoever has the secret shows it by the signature, and is a stranger until then. */
  async function byWebhook(request: IncomingMessage, response: ServerResponse, id: string): Promise<void> {
    if (!hasRightHost(request, response)) return;
    const { webhook } = engine;
    if (webhook === undefined) return refusals.write(response, 404, "There is no webhook");
    if (request.method !== "POST") return refusals.write(response, 405, "An answer is sent by POST");
    const [timestamp, nonce, signature] = ["timestamp", "nonce", "signature"].map((key) =>
      String(request.headers[`keyhole-${key}`] ?? ""),
    );
    if (!timestamp || !nonce || !signature) return refusals.write(response, 401, UNSIGNED);
    await take(request, response, (body) =>
      webhook.accept(id, { timestamp, nonce, body }, signature).catch((error: unknown) => {
        if (error instanceof KeyholeError && error.code === "denied")
          options.onRefused?.("an answer whose signature is not right", request);
        throw error;
      }),
    );
  }

  async function toStatus({ code }: KeyholeError, id = ""): Promise<number> {
    if (code !== "usage") return code === "denied" ? 403 : 500;
    const status = (await engine.approvals.get(id))?.status;
    if (status === undefined) return 404;
    return status === "pending" ? 400 : 409;
  }

  return (request, response) => {
    const route = toRoute(request);
    if (route === undefined) return undefined;
    const { id, isWebhook } = route;
    const handled = isWebhook && id ? byWebhook(request, response, id) : byApprover(request, response, route);
    return handled.catch(async (error: unknown) => {
      if (response.headersSent || !(error instanceof KeyholeError)) throw error;
      refusals.write(response, await toStatus(error, id), error.message);
    });
  };
}

const NO_TOKEN =
  "The token of an approver is needed: send the header Authorization: Bearer <token>, with one that http.approvers names";
const WRONG_TOKEN = "The bearer token is none of http.approvers";
const NOT_SET_UP =
  'Nobody answers approvals over HTTP here: give a name and a token in http.approvers, and have "http" in approval.channels';
const UNSIGNED = "The headers Keyhole-Timestamp, Keyhole-Nonce and Keyhole-Signature are needed";

function toRoute({ url = "" }: IncomingMessage): Route | undefined {
  const found = PATH.exec(url.split("?")[0] ?? "");
  return found ? { id: found[1], isWebhook: found[2] !== undefined } : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyholeError("usage", "The body is not valid JSON");
  }
}
